import { Agent, tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { setupTracer } from '@strands-agents/sdk/telemetry';
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

const provider = setupTracer({ exporters: { otlp: true } });
const get_weather = tool({
  name: 'get_weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  callback: getWeather,
});
await turns(async (question) => {
  const agent = new Agent({
    name,
    model: new OpenAIModel({
      api: 'chat',
      modelId: 'gpt-4o',
      apiKey: modelKey,
      clientConfig: { baseURL: modelUrl, maxRetries: 0 },
    }),
    systemPrompt: instructions,
    tools: [get_weather],
    printer: false,
    traceAttributes: { 'session.id': session, 'user.id': user, 'tag.tags': [tag] },
  });
  return (await agent.invoke(question)).toString();
});
await provider.forceFlush();
await provider.shutdown();
