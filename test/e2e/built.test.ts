import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, type TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { databaseOf, query } from '../support/postgres.ts';
import { built, BUILT_FOLDER, eventually, type Program, root, run } from '../support/processes.ts';

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
      'postgres-indexer.js',
      'reader-worker.js',
      'sqlite-checkpoint-worker.js',
      'sqlite-indexer.js',
    ]),
  );
  expect(files).toEqual(expect.arrayContaining(named));
});

describe.each(databases)('the built control plane on %s', (kind) => {
  const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };
  const database = `built_${process.pid}`;
  let folder: string;
  let url: string;
  let program: Program;
  const client = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: url, headers: () => headers });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-built-'));
    const port = await freePort();
    url = `http://localhost:${port}`;
    const server = inject('postgresUrl');
    if (kind === 'postgres') await query(server, `create database ${database}`);
    program = run(built.controlPlane, {
      HOST: '127.0.0.1',
      PORT: String(port),
      DEVICE_PORT: '0',
      DATA_DIR: folder,
      ...(kind === 'postgres' && { DATABASE_URL: databaseOf(server, database) }),
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
      BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    });
    await program.said('devices ');
  });
  afterAll(async () => {
    await program?.end();
    if (kind === 'postgres') await query(inject('postgresUrl'), `drop database ${database}`);
    rmSync(folder, { recursive: true, force: true });
  });

  // The words are indexed in one thread, and searched for in another.
  test('finds what was recorded by its words', async () => {
    const { recording } = client({ 'X-Svc-Key': API_KEY });
    const { run_id } = await recording.startRun({ body: { agent_name: 'a' } });
    const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1, prompt_preview: 'zugzwang' };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const { token } = await client({}).identity.login({ body: OWNER });
    const owner = client({ Authorization: `Bearer ${token}` });
    const found = await eventually(
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
  ])('answers %s', async (path, type) => {
    const answer = await fetch(`${url}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining(type),
    ]);
    await answer.arrayBuffer();
  });

  test('takes traces, and makes the profile', async () => {
    const byKey = client({ 'X-Svc-Key': API_KEY });
    expect(await byKey.otel.exportTraces({ body: { resourceSpans: [] } })).toEqual({});
    expect(await byKey.deployment.getMdmProfile({ query: {} })).toContain('PayloadType');
  });

  test('ends when it is told to', async () => {
    expect(await program.end()).toBe(0);
  });
});
