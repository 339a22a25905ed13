import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { root } from '../support/processes.ts';
import { startScriptedModel } from './scripted-model.ts';

/** Writes the examples of the documentation to a folder like a new user. */
async function writeExamples(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-otel-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const guide = await readFile(join(root, 'docs/opentelemetry.md'), 'utf8');
  for (const [, name, code] of guide.matchAll(/```js\n\/\/ (\S+)\n(.*?)```/gs))
    await writeFile(join(folder, name as string), code as string);
  return folder;
}

describe.each(databases)('real instrumentations, on %s', (kind) => {
  let service: TestControlPlane;
  let provider: ModelProvider;
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  let folder: string;
  beforeAll(async () => {
    service = await startTestControlPlane(kind, { OTLP_GRPC_PORT: '0' });
    provider = await startModelProvider();
    model = await startScriptedModel();
    folder = await writeExamples();
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
    await model.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs an example. It knows the control plane only from its environment. */
  const run = async (args: string[], env: Record<string, string>): Promise<void> => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        OTEL_EXPORTER_OTLP_ENDPOINT: `${service.urls.public}/api/v1/otel`,
        OTEL_EXPORTER_OTLP_HEADERS: `x-svc-key=${API_KEY}`,
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_LOGS_EXPORTER: 'none',
        OPENAI_API_KEY: MODEL_KEY,
        OPENAI_BASE_URL: `${model.url}/v1`,
        ANTHROPIC_API_KEY: MODEL_KEY,
        ANTHROPIC_BASE_URL: provider.url,
        ...env,
      },
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([await ended, ...printed]).toEqual([0, '', '']);
  };
  const runsOf = async (agent: string) => {
    const { results } = await service.byOwner.runs.listRuns({ query: { agent } });
    return Promise.all(
      results.map(({ id }) => service.byOwner.runs.getRun({ params: { id: String(id) } })),
    );
  };

  test.each([
    ['http/protobuf', 'none'],
    ['http/protobuf', 'gzip'],
    ['http/json', 'gzip'],
    ['grpc', 'none'],
    ['grpc', 'gzip'],
  ])('OpenAI and Anthropic with OpenInference, as %s, %s', async (protocol, compression) => {
    const before = (await runsOf('weather')).length;
    await run(['--import', './instrument.mjs', 'agent.mjs'], {
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
      ...(protocol === 'grpc' && { OTEL_EXPORTER_OTLP_ENDPOINT: service.urls.otlpGrpc as string }),
      OTEL_SERVICE_NAME: 'weather-service',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const runs = await runsOf('weather');
    expect(runs).toHaveLength(before + 1);
    const [claude, gpt] = runs[0]?.llm_calls.toSorted((a, b) => (a.model < b.model ? -1 : 1)) ?? [];
    expect(runs[0]).toMatchObject({
      status: 'success',
      session_id: 's-1',
      user_id: 'ada',
      metadata: { root_span: 'answer', service: 'weather-service', environment: 'test' },
      llm_call_count: 2,
    });
    expect(gpt).toMatchObject({
      model: 'gpt-4o-2024-11-20',
      provider: 'openai',
      tokens_in: 1000,
      tokens_out: 500,
      cache_read_tokens: 200,
      cost_source: 'table',
      prompt_preview:
        '[{"content":"Be brief","role":"system"},{"content":"Is it warm in Paris?","role":"user"}]',
      response_preview: 'It is 20 degrees in Paris',
    });
    // In dollars per million: 800 at 2.50, 200 at 1.25 and 500 at 10.00.
    expect(gpt?.cost).toBeCloseTo(0.00725, 10);
    // Anthropic's client also reports the same call itself, without messages.
    expect(claude).toMatchObject({
      model: 'claude-sonnet-4-6',
      provider: 'anthropic',
      prompt_preview: 'Check this: It is 20 degrees in Paris',
      response_preview: 'claude-sonnet-4-6 heard: Check this: It is 20 degrees in Paris',
      cost_source: 'table',
    });
    expect(claude?.tokens_in).toBeGreaterThan(0);
    expect(runs[0]?.tokens).toBe(1500 + (claude?.total_tokens ?? 0));
  });

  test('the Vercel AI SDK', async () => {
    await run(['vercel.mjs'], { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' });
    const runs = await runsOf('weather-agent');
    expect(runs).toMatchObject([
      {
        status: 'success',
        llm_call_count: 2,
        tokens: 3000,
        cost: 0.0145,
        session_id: 's-1',
        user_id: 'ada',
        tags: ['beta'],
        inputs: { messages: [{ role: 'user', content: 'Is it warm in Paris?' }] },
        llm_calls: [
          {
            model: 'gpt-4o-2024-11-20',
            provider: 'openai',
            cache_read_tokens: 200,
            prompt_preview: 'Is it warm in Paris?',
            response_preview: expect.stringContaining('"name":"weather"') as string,
          },
          { response_preview: 'It is 20 degrees in Paris' },
        ],
      },
    ]);
    const [found] = runs;
    const tool = found?.spans.find((span) => span.kind === 'tool');
    const span = await service.byOwner.runs.getSpan({
      params: { id: String(found?.id), span_id: String(tool?.id) },
    });
    expect(span).toMatchObject({
      name: 'weather',
      status: 'ok',
      input_data: { city: 'Paris' },
      output_data: { city: 'Paris', celsius: 20 },
    });
  });

  test('these instrumentations leave no unmapped attributes', async () => {
    const { results } = await service.byOwner.otel.listUnmappedAttributes({
      query: { limit: 100 },
    });
    expect(results.map(({ name, scope }) => [name, scope])).toEqual([]);
  });
});
