import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
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

const [header, key] = process.env.OTEL_EXPORTER_OTLP_HEADERS.split('=');
const exporter = new OtelExporter({
  provider: {
    custom: {
      endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
      protocol: 'http/protobuf',
      headers: { [header]: key },
    },
  },
});
const agent = new Agent({
  id: name,
  name,
  instructions,
  model: createOpenAI({ apiKey: modelKey, baseURL: modelUrl }).chat('gpt-4o'),
  maxRetries: 0,
  tools: {
    get_weather: createTool({
      id: 'get_weather',
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async (input) => getWeather(input.context ?? input),
    }),
  },
});
const mastra = new Mastra({
  agents: { [name]: agent },
  logger: false,
  observability: new Observability({
    configs: { otel: { serviceName: 'weather-service', exporters: [exporter] } },
  }),
});
await turns(async (question) => {
  const { text } = await mastra.getAgent(name).generate(question, {
    tracingOptions: {
      metadata: { sessionId: session, userId: user },
      tags: [tag],
    },
  });
  return text;
});
await mastra.shutdown?.();
await exporter.shutdown?.();
process.exit(0);
