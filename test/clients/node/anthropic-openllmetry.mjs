import * as anthropic from '@anthropic-ai/sdk';
import { trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AnthropicInstrumentation } from '@traceloop/instrumentation-anthropic';
import { messagesAgent } from './anthropic-agent.mjs';
import { agent, session, tag, turns, user } from './scenario.mjs';

const instrumentation = new AnthropicInstrumentation();
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
instrumentation.manuallyInstrument(anthropic);
const client = new anthropic.Anthropic({ maxRetries: 0 });
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
      return await messagesAgent(client, question);
    } catch (error) {
      span.recordException(error);
      throw error;
    } finally {
      span.end();
    }
  }),
);
await sdk.shutdown();
