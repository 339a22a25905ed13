import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { nextConfigVersion } from '#control-plane/tenants/config-version.ts';
import { claimBatches } from '#control-plane/device-reports/queries.ts';
import { usersLock } from '#control-plane/storage/locks.ts';
import { openStorage, type Db, type Storage } from '#control-plane/storage/open.ts';
import { rollups } from '#control-plane/usage/rollups.ts';
import type { Signal } from '#control-plane/storage/signals.ts';
import type { Tx } from '#control-plane/storage/transaction.ts';
import {
  databases,
  newDatabase,
  type TestDatabase,
  untilLockWaiter,
} from '../support/databases.ts';
import { takeReportedErrors } from '../support/no-held-transactions.ts';

const run = {
  tenant_id: 'tnt_1',
  workflow_id: 1,
  agent_name: 'a',
  workflow_name: 'w',
  parent_run_id: null,
  trace_id: null,
  session_id: null,
  user_id: null,
  user_group: null,
  tags: '[]',
  inputs: null,
  metadata: null,
  result: null,
  error: null,
  status: 'running',
  started_at: 1_700_000_000_000,
  completed_at: null,
  llm_call_count: 0,
  tokens: 0,
  cost: 0.1,
} as const;

const insertRun = async (db: Db, row: typeof run): Promise<number> =>
  (await db.insertInto('runs').values(row).returning('id').executeTakeFirstOrThrow()).id;

/** Waits for many turns of the event loop, more than SQLite needs for a row in this process. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}

describe.each(databases)('storage on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  const problems: string[] = [];

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => problems.push(line) });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => storage.transaction(work);

  test('a reopened database has its schema and data', async () => {
    const id = await insertRun(storage.db, run);
    const again = await openStorage({ ...database, onProblem: (line) => problems.push(line) });
    const found = await again.db.selectFrom('runs').selectAll().where('id', '=', id).execute();
    await again.close();
    expect(found).toMatchObject([{ ...run, id }]);
  });

  test('ids increase and are never reused, even after a deletion', async () => {
    const first = await insertRun(storage.db, run);
    await storage.db.deleteFrom('runs').where('id', '=', first).execute();
    expect(await insertRun(storage.db, run)).toBeGreaterThan(first);
  });

  test('integers, floats and totals come back as numbers', async () => {
    await insertRun(storage.db, run);
    const row = await storage.db
      .selectFrom('runs')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('started_at').as('sum')])
      .select(sql`max(cost)`.as('cost'))
      .executeTakeFirstOrThrow();
    expect(Object.values(row).map((value) => typeof value)).toEqual(['number', 'number', 'number']);
  });

  test('a failed transaction leaves no changes, and does not affect others', async () => {
    const step = { tenant_id: 'tnt_1', run_id: 77, step_name: 'kept', output: null, created_at: 1 };
    const meanwhile = Promise.withResolvers<unknown>();
    const failing = storage.transaction(async (tx) => {
      await tx.bulk.insert('steps', [{ ...step, step_name: 'lost' }]);
      await meanwhile.promise;
      throw new Error('on purpose');
    });
    // Written while the other transaction is open: on a single connection it must not become part
    // of it.
    const kept = inTransaction((tx) => tx.bulk.insert('steps', [step]));
    meanwhile.resolve(kind === 'postgres' ? kept : manyTurns());
    const [outcome] = await Promise.allSettled([failing, kept]);
    expect(outcome.status).toBe('rejected');
    // This transaction was deliberately held open.
    takeReportedErrors();
    const steps = await storage.db
      .selectFrom('steps')
      .select('step_name')
      .where('run_id', '=', 77)
      .execute();
    expect(steps).toEqual([{ step_name: 'kept' }]);
  });

  test('of two transactions with the same lock, one waits for the other', async () => {
    const events: string[] = [];
    const first = inTransaction(async (tx) => {
      await tx.lock(usersLock('tnt_1'), usersLock('tnt_2'));
      events.push('first has it');
      await tx.db.selectFrom('tenants').select('id').execute();
      if (kind === 'postgres') await untilLockWaiter(storage.db);
      events.push('first ends');
    });
    await vi.waitUntil(() => events.length > 0);
    const second = inTransaction(async (tx) => {
      await tx.lock(usersLock('tnt_2'));
      events.push('second has it');
    });
    await Promise.all([first, second]);
    expect(events).toEqual(['first has it', 'first ends', 'second has it']);
  });

  test('fifty concurrent changes get fifty consecutive versions', async () => {
    await storage.db
      .insertInto('tenants')
      .values({ id: 'tnt_v', name: 'v', config_version: 0, created_at: 1 })
      .execute();
    const versions = await Promise.all(
      Array.from({ length: 50 }, () => inTransaction((tx) => nextConfigVersion(tx, 'tnt_v'))),
    );
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  test('more rows than the maximum number of parameters are inserted', async () => {
    const rows = Array.from({ length: 12_000 }, (_, i) => ({
      tenant_id: 'tnt_1',
      run_id: 88,
      step_name: `s${i}`,
      output: null,
      created_at: 1,
    }));
    await inTransaction((tx) => tx.bulk.insert('steps', rows));
    const found = await storage.db
      .selectFrom('steps')
      .select('step_name')
      .where('run_id', '=', 88)
      .orderBy('id')
      .execute();
    expect(found.map((row) => row.step_name)).toEqual(rows.map((row) => row.step_name));
  });

  test.each([1, 2, 3, 4, 5, 7, 8, 31, 100])('each of %i rows has a separate id', async (count) => {
    const rows = Array.from({ length: count }, (_, i) => ({
      tenant_id: 'tnt_1',
      run_id: 1000 + count,
      step_name: `s${i}`,
      output: null,
      created_at: 1,
    }));
    const ids = await inTransaction((tx) => tx.bulk.insertCounted('steps', rows));
    const found = await storage.db
      .selectFrom('steps')
      .select(['id', 'step_name'])
      .where('run_id', '=', 1000 + count)
      .orderBy('id')
      .execute();
    expect(found).toEqual(rows.map(({ step_name }, i) => ({ id: ids[i], step_name })));
  });

  describe('totals', () => {
    const merging = {
      key: ['tenant_id', 'agent_name', 'hour', 'name', 'data_type'],
      add: ['score_count', 'numeric_count', 'numeric_sum'],
      min: ['numeric_min'],
      max: ['numeric_max'],
    } as const;
    const row = (tenant_id: string, name: string, value: number | null) => ({
      tenant_id,
      agent_name: '',
      hour: 1,
      name,
      data_type: 'numeric' as const,
      score_count: 1,
      numeric_count: value === null ? 0 : 1,
      numeric_sum: value ?? 0,
      numeric_min: value,
      numeric_max: value,
    });
    const read = (tenant_id: string) =>
      storage.db
        .selectFrom('score_hours')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .orderBy('name')
        .execute();

    test('rows with the same key are merged: sums, minimum and maximum', async () => {
      const rowOf = row.bind(undefined, 'tnt_merged');
      for (const value of [5, 2, null, 9])
        await inTransaction((tx) =>
          tx.bulk.merge('score_hours', merging, [rowOf('a', value), rowOf('b', null)]),
        );
      expect(await read('tnt_merged')).toEqual([
        { ...rowOf('a', 2), score_count: 4, numeric_count: 3, numeric_sum: 16, numeric_max: 9 },
        { ...rowOf('b', null), score_count: 4 },
      ]);
    });

    test('nothing is added twice if a constant column of a neighbouring row changes', async () => {
      const session = (i: number, run_count: number, first_run: number) => ({
        tenant_id: 'tnt_1',
        session_id: `s${i}`,
        run_count,
        total_duration: 1,
        total_cost: 0.5,
        total_tokens: 10,
        first_run,
        last_activity: 100 + i,
      });
      const merge = (rows: ReturnType<typeof session>[]) =>
        inTransaction((tx) => tx.bulk.merge('run_sessions', rollups.run_sessions, rows));
      await merge(Array.from({ length: 9 }, (_, i) => session(i, 1, 50)));
      // A run of every third session starts, and another third began earlier than known.
      await merge(
        Array.from({ length: 9 }, (_, i) => session(i, i % 3 ? 0 : 1, i % 3 === 1 ? 40 : 60)),
      );
      expect(
        await storage.db.selectFrom('run_sessions').selectAll().orderBy('session_id').execute(),
      ).toEqual(
        Array.from({ length: 9 }, (_, i) => ({
          ...session(i, i % 3 ? 1 : 2, i % 3 === 1 ? 40 : 50),
          total_duration: 2,
          total_cost: 1,
          total_tokens: 20,
        })),
      );
    });

    test('adding changes existing rows and creates none', async () => {
      const how = { key: ['tenant_id', 'name'], add: ['score_count'] } as const;
      const one = { tenant_id: 'tnt_added', score_count: 10 };
      await inTransaction((tx) =>
        tx.bulk.merge(
          'score_hours',
          merging,
          ['a', 'b'].map((name) => row('tnt_added', name, null)),
        ),
      );
      await inTransaction((tx) =>
        tx.bulk.add('score_hours', how, [
          { ...one, name: 'b' },
          { ...one, name: 'nowhere' },
        ]),
      );
      const found = await read('tnt_added');
      expect(found.map(({ name, score_count }) => [name, score_count])).toEqual([
        ['a', 1],
        ['b', 11],
      ]);
    });

    test('if some rows exist, the new ones are returned', async () => {
      const key = ['tenant_id', 'agent_name', 'workflow_name'] as const;
      const pair = (agent_name: string) => ({ tenant_id: 'tnt_1', agent_name, workflow_name: 'w' });
      const added = (...agents: string[]) =>
        inTransaction((tx) => tx.bulk.insertNew('workflows', key, agents.map(pair)));
      expect([
        await added('x', 'y'),
        await added('y', 'z'),
        await added('v', 'x', 'v'),
        await added(),
      ]).toEqual([[true, true], [false, true], [true, false, false], []]);
    });
  });

  test('a batch is claimed once, also by concurrent claims', async () => {
    const batch = { device: { tenantId: 'tnt_1', deviceId: 'dev_1' }, batchId: 'batch-1' };
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => inTransaction((tx) => claimBatches(tx, [batch, batch], 1))),
    );
    expect(claims.flat().filter(Boolean)).toHaveLength(1);
  });

  test('a violated unique constraint is distinguished from other errors', async () => {
    const tenant = { id: 'tnt_twice', name: 'x', config_version: 0, created_at: 1 };
    const insert = () => storage.db.insertInto('tenants').values(tenant).execute();
    await insert();
    const twice = await insert().catch((error: unknown) => error);
    const other = await sql`select * from nowhere`
      .execute(storage.db)
      .catch((error: unknown) => error);
    expect([storage.isUnique(twice), storage.isUnique(other)]).toEqual([true, false]);
  });

  test('a signal reaches subscribers, and with PostgreSQL those of other processes', async () => {
    const other =
      kind === 'postgres'
        ? await openStorage({ ...database, onProblem: () => undefined })
        : storage;
    const received = new Promise<Signal>((resolve) => other.signals.subscribe(resolve));
    const signal: Signal = { tenant_id: 'tnt_1', topic: 'runs', run_id: 7 };
    // Listening begins in the background. A signal is only a hint and may be sent again.
    const timer = setInterval(() => storage.signals.publish(signal), 20);
    expect(await received).toEqual(signal);
    clearInterval(timer);
    if (other !== storage) await other.close();
    expect(problems).toEqual([]);
  });
});
