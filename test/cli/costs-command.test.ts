import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import {
  API_KEY,
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { built, root, startProgram } from '../support/processes.ts';

/** SQLite belongs to one process; PostgreSQL can be shared with a control plane that runs. */
const WHILE_IT_RUNS = {
  sqlite: {
    code: 1,
    output:
      /^costs: DATA_DIR=\S+: another control plane is using this folder; stop it, or recompute through it: POST \/api\/v1\/observe\/model-costs\/recompute\/\n$/,
  },
  postgres: {
    code: 0,
    output:
      /^tnt_\w+: 2 calls checked, 1 would change, 0 -> 2 USD\n {2}no price: theirs \(1 calls\)\n$/,
  },
};

async function record(client: TestClient, models: string[]): Promise<void> {
  const { run_id } = await client.recording.startRun({ body: { agent_name: 'a' } });
  const calls = models.map((model) => ({ model, tokens_in: 1_000_000, tokens_out: 0 }));
  await client.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
}

async function costs(env: Record<string, string>, ...args: string[]) {
  const command = join(root, 'control-plane/costs/command.ts');
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return [code, output];
}

describe.each(databases)('the costs command on %s', (kind) => {
  let database: TestDatabase;
  let service: TestControlPlane | undefined;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await newDatabase(kind);
    env = { DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl ?? '' };
    service = await startTestControlPlane(kind, env);
    await record(service.byKey, ['ours', 'theirs']);
    const body = { input_cost_per_million: 2, output_cost_per_million: 0 };
    await service.byKey.costs.putModelCost({ params: { model_id: 'ours' }, body });
  });
  afterAll(async () => {
    await service?.stop();
    await database.remove();
  });

  test('while the control plane runs', async () => {
    const { code, output } = WHILE_IT_RUNS[kind];
    expect(await costs(env, 'recompute', '--dry-run')).toEqual([
      code,
      expect.stringMatching(output),
    ]);
  });

  test('when the control plane is stopped', async () => {
    await service?.stop();
    service = undefined;
    expect(await costs(env, 'recompute', '--model', 'ours')).toEqual([
      0,
      expect.stringMatching(/^tnt_\w+: 1 calls checked, 1 changed, 0 -> 2 USD\n$/),
    ]);
    const storage = await openStorage({ ...database, onProblem: () => undefined });
    const run = await storage.db.selectFrom('runs').select('cost').executeTakeFirstOrThrow();
    const calls = await storage.db
      .selectFrom('llm_calls')
      .select(['model', 'cost', 'cost_source'])
      .orderBy('model')
      .execute();
    await storage.close();
    expect([run, ...calls]).toEqual([
      { cost: 2 },
      { model: 'ours', cost: 2, cost_source: 'override' },
      { model: 'theirs', cost: 0, cost_source: 'unpriced' },
    ]);
  });

  test('for an unknown tenant', async () => {
    expect(await costs(env, 'recompute', '--tenant', 'tnt_unknown')).toEqual([
      1,
      'costs: --tenant tnt_unknown: unknown tenant\n',
    ]);
  });
});

test.each([
  [[], /^usage: /],
  [['reprice'], /^usage: /],
  [['recompute', '--since', 'yesterday'], /^--since yesterday: expected a date like/],
  [['recompute', '--until', '2026-01-01'], /^Unknown option '--until'/],
  [['recompute'], /^costs: DATA_DIR=\/nowhere: there is no database in this folder\n$/],
])('costs %j is rejected', async (args, line) => {
  expect(await costs({ DATA_DIR: '/nowhere' }, ...args)).toEqual([1, expect.stringMatching(line)]);
});

test('an invalid price file prevents the control plane from starting', async () => {
  const database = await newDatabase('sqlite');
  const file = join(database.dataDir, 'prices.json');
  writeFileSync(file, '[{ "model_id": "ours", "input_cost_per_million": 1 }]');
  const program = startProgram(built.controlPlane, {
    DATA_DIR: database.dataDir,
    PRICES_FILE: file,
    BOOTSTRAP_API_KEY: API_KEY,
  });
  const [code] = (await once(program.child, 'close')) as [number];
  expect(code).toBe(1);
  expect(program.output()).toMatch(
    /^control plane: PRICES_FILE=\S+: entry 1 \(ours\): output_cost_per_million: [^\n]+\n$/,
  );
  await database.remove();
});
