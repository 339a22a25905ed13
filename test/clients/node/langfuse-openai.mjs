import { observeOpenAI } from '@langfuse/openai';
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK } from '@opentelemetry/sdk-node';
import OpenAI from 'openai';
import { agent, chatAgent, session, tag, turns, user } from './scenario.mjs';

// Langfuse's processor adds its attributes; the exporter is the usual one.
const processor = new LangfuseSpanProcessor({
  exporter: new OTLPTraceExporter(),
  publicKey: 'pk-lf-none',
  secretKey: 'sk-lf-none',
});
const sdk = new NodeSDK({ spanProcessors: [processor] });
sdk.start();
const client = observeOpenAI(new OpenAI({ maxRetries: 0 }));
await turns((question) =>
  startActiveObservation(
    agent,
    (span) => {
      span.update({ input: question });
      return propagateAttributes({ sessionId: session, userId: user, tags: [tag] }, () =>
        chatAgent(client, question),
      );
    },
    { asType: 'agent' },
  ),
);
await sdk.shutdown();
