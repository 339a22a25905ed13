import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import { context } from '@opentelemetry/api';
import { setSession, setTags, setUser } from '@arizeai/openinference-core';
import { NodeSDK } from '@opentelemetry/sdk-node';
import * as agents from '@openai/agents';
import { z } from 'zod';
import { agent as name, getWeather, instructions, session, tag, turns, user } from './scenario.mjs';

const instrumentation = new OpenAIAgentsInstrumentation();
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
instrumentation.manuallyInstrument?.(agents);
const agent = new agents.Agent({
  name,
  instructions,
  model: 'gpt-4o',
  tools: [
    agents.tool({
      name: 'get_weather',
      description: 'The weather of a city',
      parameters: z.object({ city: z.string() }),
      execute: async (input) => getWeather(input),
    }),
  ],
});
const runner = new agents.Runner({ workflowName: 'weather', groupId: session });
const attributes = setTags(
  setUser(setSession(context.active(), { sessionId: session }), { userId: user }),
  [tag],
);
await turns((question) =>
  context.with(attributes, async () => (await runner.run(agent, question)).finalOutput),
);
await sdk.shutdown();
