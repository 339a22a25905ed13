import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { buildControlPlane } from '#control-plane/build.ts';
import { API_KEY, type TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import {
  freePort,
  built,
  BUILT_FOLDER,
  pollUntil,
  type Program,
  root,
  startProgram,
} from '../support/processes.ts';
import {
  expectedResponse,
  MODEL_KEY,
  type ModelProvider,
  startModelProvider,
} from '../support/model-provider.ts';
import { databaseOf, query } from '../support/postgres.ts';

test('every thread of the built programs has its file', () => {
  const folder = join(root, BUILT_FOLDER);
  const files = readdirSync(folder);
  const named = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/new URL\("\.\/([\w.-]+)",/g)].map(
      ([, name]) => name,
    ),
  );
  expect(new Set(named)).toEqual(
    new Set([
      'hashing-worker.js',
      'postgres-indexer.js',
      'reader-worker.js',
      'sqlite-checkpoint-worker.js',
      'sqlite-indexer.js',
    ]),
  );
  expect(files).toEqual(expect.arrayContaining(named));
});

test('built files are ASCII, because V8 stores others with two bytes per character', () => {
  const folder = join(root, BUILT_FOLDER);
  const others = readdirSync(folder).filter((file) =>
    readFileSync(join(folder, file)).some((byte) => byte > 0x7f),
  );
  expect(others).toEqual([]);
});

test('a repeated build leaves unchanged files untouched, because they may be in use', async () => {
  const folder = join(root, BUILT_FOLDER);
  const inodes = () => readdirSync(folder).map((file) => [file, statSync(join(folder, file)).ino]);
  const before = inodes();
  await buildControlPlane(folder);
  expect(inodes()).toEqual(before);
});

describe.each(databases)('the built control plane on %s', (kind) => {
  const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };
  const database = `built_${process.pid}`;
  let folder: string;
  let url: string;
  let program: Program;
  let provider: ModelProvider;
  const client = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: url, headers: () => headers });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-built-'));
    provider = await startModelProvider();
    const prices = join(folder, 'prices.yaml');
    writeFileSync(
      prices,
      '- { model_id: ours, input_cost_per_million: 2000, output_cost_per_million: 1 }',
    );
    const port = await freePort();
    url = `http://localhost:${port}`;
    const server = inject('postgresUrl');
    if (kind === 'postgres') await query(server, `create database ${database}`);
    program = startProgram(built.controlPlane, {
      HOST: '127.0.0.1',
      PORT: String(port),
      DEVICE_PORT: '0',
      DATA_DIR: folder,
      ...(kind === 'postgres' && { DATABASE_URL: databaseOf(server, database) }),
      LLM_PROVIDER: { sqlite: 'openai', postgres: 'anthropic' }[kind],
      LLM_BASE_URL: { sqlite: `${provider.url}/v1`, postgres: provider.url }[kind],
      LLM_API_KEY: MODEL_KEY,
      PRICES_FILE: prices,
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
      BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
      APPLE_TEAM_ID: 'GATEHOUSE1',
    });
    await program.waitForOutput('devices ');
  });
  afterAll(async () => {
    await program?.stop();
    await provider?.stop();
    if (kind === 'postgres') await query(inject('postgresUrl'), `drop database ${database}`);
    rmSync(folder, { recursive: true, force: true });
  });

  const byOwner = async (): Promise<TestClient> => {
    const { token } = await client({}).identity.login({ body: OWNER });
    return client({ Authorization: `Bearer ${token}` });
  };

  // Texts are indexed in one thread and searched in another.
  test('finds recorded calls by their words', async () => {
    const { recording } = client({ 'X-Svc-Key': API_KEY });
    const { run_id } = await recording.startRun({ body: { agent_name: 'a' } });
    const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1, prompt_preview: 'zugzwang' };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const owner = await byOwner();
    const found = await pollUntil(
      () => owner.llmCalls.listLlmCalls({ query: { search: 'zugzwang' } }),
      ({ results }) => results.length > 0,
    );
    expect(found.results).toMatchObject([{ prompt_preview: 'zugzwang' }]);
    expect(found.aggregates.total_calls).toBe(1);
  });

  test.each([
    ['/openapi.json', 'application/json'],
    ['/docs', 'text/html'],
    ['/docs/swagger-ui.css', 'text/css'],
  ])('serves %s', async (path, type) => {
    const answer = await fetch(`${url}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining(type),
    ]);
    await answer.arrayBuffer();
  });

  test('serves the console, or reports that it is not built', async () => {
    const answer = await fetch(url, { headers: { Accept: 'text/html' } });
    const text = await answer.text();
    expect(text).toContain(answer.status === 200 ? '<div id="root">' : 'npm run build:console');
  });

  test('reads the price file, calls a model, accepts traces in protobuf, and creates the profile', async () => {
    const byKey = client({ 'X-Svc-Key': API_KEY });
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'priced' } });
    const call = { model: 'ours', tokens_in: 1000, tokens_out: 0 };
    await byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const owner = await byOwner();
    const { results } = await owner.llmCalls.listLlmCalls({ query: { agent: 'priced' } });
    expect(results).toMatchObject([{ cost: 2 }]);
    const model = { sqlite: 'gpt-4o-mini', postgres: 'claude-sonnet-4-6' }[kind];
    const body = { content: 'Hi', config: { model } };
    expect(await owner.playground.runPlayground({ body })).toMatchObject({
      output: expectedResponse(model, ['Hi']),
    });
    const traces = await fetch(`${url}/api/v1/otel/v1/traces`, {
      method: 'POST',
      headers: { 'X-Svc-Key': API_KEY, 'Content-Type': 'application/x-protobuf' },
      // An export without spans would be an empty body, so this one contains a resource without
      // spans.
      body: new Uint8Array([0x0a, 0x00]),
    });
    expect([traces.status, traces.headers.get('content-type')]).toEqual([
      200,
      'application/x-protobuf',
    ]);
    expect(await byKey.deployment.getMdmProfile({ query: {} })).toContain('PayloadType');
  });

  test('ends on SIGTERM', async () => {
    expect(await program.stop()).toBe(0);
  });
});
