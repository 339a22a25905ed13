import { NodeSDK } from '@opentelemetry/sdk-node';
import { z } from 'zod';
import { agent as name, getWeather, instructions, session, turns, user } from './scenario.mjs';

const sdk = new NodeSDK();
sdk.start();
// ADK exports to the SDK that is present when it is loaded.
const { FunctionTool, InMemoryRunner, LlmAgent } = await import('@google/adk');
const agent = new LlmAgent({
  name,
  model: 'gemini-2.5-flash',
  instruction: instructions,
  tools: [
    new FunctionTool({
      name: 'get_weather',
      description: 'The weather of a city',
      parameters: z.object({ city: z.string() }),
      execute: getWeather,
    }),
  ],
});
await turns(async (question) => {
  const runner = new InMemoryRunner({ agent, appName: 'weather' });
  const ids = { userId: user, sessionId: session };
  await runner.sessionService.createSession({ appName: 'weather', ...ids });
  const newMessage = { role: 'user', parts: [{ text: question }] };
  let said = '';
  for await (const event of runner.runAsync({ ...ids, newMessage })) {
    if (event.errorMessage) throw new Error(event.errorMessage);
    for (const { text } of event.content?.parts ?? []) said += text ?? '';
  }
  return said;
});
await sdk.shutdown();
