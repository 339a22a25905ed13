import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { agent, chatAgent, session, tag, turns, user } from './scenario.mjs';

const sdk = new NodeSDK({ instrumentations: [new OpenAIInstrumentation()] });
sdk.start();
// Loaded with `require`, because instrumenting ES modules needs OpenTelemetry's loader.
const OpenAI = createRequire(import.meta.url)('openai');
const client = new OpenAI({ maxRetries: 0 });
const attributes = {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': agent,
  'session.id': session,
  'user.id': user,
  'tag.tags': [tag],
};
await turns((question) =>
  trace.getTracer('app').startActiveSpan('answer', { attributes }, async (span) => {
    try {
      return await chatAgent(client, question);
    } catch (error) {
      span.recordException(error);
      throw error;
    } finally {
      span.end();
    }
  }),
);
await sdk.shutdown();
