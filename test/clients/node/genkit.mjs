import { openAI } from '@genkit-ai/compat-oai/openai';
import { createRequire } from 'node:module';
import { genkit, z } from 'genkit';
import { enableTelemetry } from 'genkit/tracing';
import { agent, getWeather, instructions, modelKey, modelUrl, turns } from './scenario.mjs';

// Genkit uses an older SDK, so its spans need the exporter of that SDK.
const require = createRequire(createRequire(import.meta.url).resolve('@genkit-ai/core'));
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto');
const { BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');
await enableTelemetry({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
const ai = genkit({ plugins: [openAI({ apiKey: modelKey, baseURL: modelUrl, maxRetries: 0 })] });
const get_weather = ai.defineTool(
  {
    name: 'get_weather',
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    outputSchema: z.string(),
  },
  async (input) => getWeather(input),
);
const flow = ai.defineFlow({ name: agent, inputSchema: z.string() }, async (question) => {
  const { text } = await ai.generate({
    model: openAI.model('gpt-4o'),
    system: instructions,
    prompt: question,
    tools: [get_weather],
  });
  return text;
});
await turns((question) => flow(question));
const { flushTracing } = await import('genkit/tracing');
await flushTracing();
process.exit(0);
