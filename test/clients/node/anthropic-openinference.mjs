import Anthropic from '@anthropic-ai/sdk';
import { setSession, setTags, setUser } from '@arizeai/openinference-core';
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic';
import { context, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { messagesAgent } from './anthropic-agent.mjs';
import { agent, session, tag, turns, user } from './scenario.mjs';

const instrumentation = new AnthropicInstrumentation();
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
instrumentation.manuallyInstrument(Anthropic);
const client = new Anthropic({ maxRetries: 0 });
const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent };
const about = [
  (active) => setSession(active, { sessionId: session }),
  (active) => setUser(active, { userId: user }),
  (active) => setTags(active, [tag]),
].reduce((active, set) => set(active), context.active());
await turns((question) =>
  trace.getTracer('app').startActiveSpan('answer', { attributes }, about, async (span) => {
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
