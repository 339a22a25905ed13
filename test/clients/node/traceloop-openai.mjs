import * as traceloop from '@traceloop/node-server-sdk';
import OpenAI from 'openai';
import { agent, chatAgent, session, tag, turns, user } from './scenario.mjs';

const [header, key] = process.env.OTEL_EXPORTER_OTLP_HEADERS.split('=');
traceloop.initialize({
  appName: 'weather-service',
  baseUrl: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
  headers: { [header]: key },
  apiKey: 'none',
  disableBatch: true,
  silenceInitializationMessage: true,
  instrumentModules: { openAI: OpenAI },
});
const client = new OpenAI({ maxRetries: 0 });
await turns((question) =>
  traceloop.withAgent(
    { name: agent, associationProperties: { session_id: session, user_id: user, tags: tag } },
    () => chatAgent(client, question),
  ),
);
await traceloop.forceFlush();
