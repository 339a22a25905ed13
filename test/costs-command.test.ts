import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  API_KEY,
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from './support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from './support/databases.ts';
import { root, run } from './support/processes.ts';

/** SQLite belongs to one process; PostgreSQL can be shared with a control plane that runs. */
const WHILE_IT_RUNS = {
  sqlite: {
    code: 1,
    output:
      /^costs: DATA_DIR=\S+: another control plane is using this folder; stop it, or let it do the work: POST \/api\/v1\/observe\/model-costs\/recompute\/\n$/,
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

describe.each(databases)('the costs command on %s', (kind) => {
  let database: TestDatabase;
  let service: TestControlPlane | undefined;
  let env: Record<string, string>;
  const start = async (): Promise<TestControlPlane> =>
    (service = await startTestControlPlane(kind, {
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
    }));
  beforeAll(async () => {
    database = await newDatabase(kind);
    env = { DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl ?? '' };
  });
  afterAll(async () => {
    await service?.stop();
    await database.remove();
  });

  async function costs(...args: string[]) {
    const command = join(root, 'control-plane/costs/command.ts');
    const child = spawn(process.execPath, [command, ...args], {
      env: { PATH: process.env.PATH, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  test('it prices calls anew', async () => {
    const before = await start();
    await record(before.byKey, ['ours', 'theirs']);
    const body = { input_cost_per_million: 2, output_cost_per_million: 0 };
    await before.byKey.costs.putModelCost({ params: { model_id: 'ours' }, body });
    const whileItRuns = await costs('recompute', '--dry-run');
    expect([whileItRuns.code, whileItRuns.output]).toEqual([
      WHILE_IT_RUNS[kind].code,
      expect.stringMatching(WHILE_IT_RUNS[kind].output),
    ]);
    await before.stop();
    service = undefined;
    expect(await costs('recompute', '--model', 'ours')).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^tnt_\w+: 1 calls checked, 1 changed, 0 -> 2 USD\n$/,
      ) as string,
    });
    const { byOwner } = await start();
    const { results } = await byOwner.runs.listRuns({ query: {} });
    expect(results.map(({ cost }) => cost)).toEqual([2]);
    expect((await byOwner.costs.listUnpriced()).results).toMatchObject([{ model: 'theirs' }]);
  });

  test.each([
    [[], /^usage: /],
    [['reprice'], /^usage: /],
    [['recompute', '--since', 'yesterday'], /^--since yesterday: expected a date like/],
    [['recompute', '--until', '2026-01-01'], /^Unknown option '--until'/],
  ])('%j is refused', async (args, line) => {
    expect(await costs(...args)).toEqual({
      code: 1,
      output: expect.stringMatching(line) as string,
    });
  });

  test('it says that a tenant is not there', async () => {
    await service?.stop();
    service = undefined;
    expect(await costs('recompute', '--tenant', 'tnt_nobody')).toEqual({
      code: 1,
      output: 'costs: --tenant tnt_nobody: there is no such tenant\n',
    });
  });
});

test('a file of prices that is not one keeps the control plane from starting', async () => {
  const database = await newDatabase('sqlite');
  const file = join(database.dataDir, 'prices.json');
  writeFileSync(file, '[{ "model_id": "ours", "input_cost_per_million": 1 }]');
  const program = run('control-plane/main.ts', {
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
