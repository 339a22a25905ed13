import { createOpenAI } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { z } from 'zod';
import {
  agent,
  getWeather,
  instructions,
  modelKey,
  modelUrl,
  session,
  tag,
  turns,
  user,
} from './scenario.mjs';

const sdk = new NodeSDK();
sdk.start();
registerTelemetry(new OpenTelemetry({ usage: true, runtimeContext: true }));
const get_weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async (input) => getWeather(input),
});
await turns(async (question) => {
  const { text } = await generateText({
    model: createOpenAI({ apiKey: modelKey, baseURL: modelUrl }).chat('gpt-4o'),
    system: instructions,
    prompt: question,
    tools: { get_weather },
    stopWhen: isStepCount(3),
    maxRetries: 0,
    runtimeContext: { sessionId: session, userId: user, tags: [tag] },
    telemetry: {
      isEnabled: true,
      functionId: agent,
      includeRuntimeContext: { sessionId: true, userId: true, tags: true },
    },
  });
  return text;
});
await sdk.shutdown();
