import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as CallbackManagerModule from '@langchain/core/callbacks/manager';
import { ChatOpenAI } from '@langchain/openai';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import {
  agent as name,
  getWeather,
  instructions,
  modelKey,
  modelUrl,
  session,
  tag,
  turns,
  user,
} from './scenario.mjs';

const instrumentation = new LangChainInstrumentation();
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
instrumentation.manuallyInstrument(CallbackManagerModule);
const agent = createAgent({
  name,
  model: new ChatOpenAI({
    model: 'gpt-4o',
    apiKey: modelKey,
    maxRetries: 0,
    configuration: { baseURL: modelUrl },
  }),
  tools: [
    tool(getWeather, {
      name: 'get_weather',
      description: 'The weather of a city',
      schema: z.object({ city: z.string() }),
    }),
  ],
  systemPrompt: instructions,
});
await turns(async (question) => {
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: question }] },
    { tags: [tag], metadata: { session_id: session, user_id: user } },
  );
  return messages.at(-1).content;
});
await sdk.shutdown();
