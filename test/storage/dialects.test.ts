import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { insertVersion } from '#control-plane/prompts/queries.ts';
import { startCountingEarlierUsage } from '#control-plane/prompts/count-earlier-usage.ts';
import { findRuns } from '#control-plane/recording/queries.ts';
import { addTelemetry } from '#control-plane/recording/telemetry-queries.ts';
import { createRecorder } from '#control-plane/recording/group-recorder.ts';
import { callRow, runRow } from '#control-plane/recording/rules.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { arraysOf } from '#control-plane/storage/postgres-arrays.ts';
import { retryConflicts } from '#control-plane/storage/retry-conflicts.ts';
import type { RunRef } from '#control-plane/usage/count.ts';
import { rollups } from '#control-plane/usage/rollups.ts';
import type { Tx } from '#control-plane/storage/transaction.ts';
import { runRecording } from '#control-plane/recording/recording-transaction.ts';
import type { Recording } from '#control-plane/recording/queries.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { type databases, newDatabase, untilLockWaiter } from '../support/databases.ts';

const step = { tenant_id: 'tnt_1', run_id: 99, step_name: 's', output: null, created_at: 1 };

/** Runs tests of features that only one of the databases has. */
async function withStorage(
  kind: (typeof databases)[number],
  work: (storage: Storage, dataDir: string) => Promise<void>,
): Promise<void> {
  const database = await newDatabase(kind);
  const problems: string[] = [];
  const storage = await openStorage({ ...database, onProblem: (line) => problems.push(line) });
  await work(storage, database.dataDir);
  await storage.close();
  await database.remove();
  expect(problems).toEqual([]);
}

const inTransaction = <T>(storage: Storage, work: (tx: Tx) => Promise<T>): Promise<T> =>
  storage.transaction(work);

test('PostgreSQL plans repeated statements only once', () =>
  withStorage('postgres', async (storage) => {
    const agent = { tenant_id: 'tnt_1', agent_name: 'a' };
    const total = { ...agent, status: 'running' as const, run_count: 1 };
    const { key, add } = rollups.run_totals;
    const prepared = await inTransaction(storage, async (tx) => {
      for (let i = 0; i < 30; i += 1) {
        await tx.bulk.insert('steps', [step]);
        await tx.bulk.insertCounted('steps', [step]);
        await tx.bulk.insertNew(
          'workflows',
          ['tenant_id', 'agent_name', 'workflow_name'],
          [{ ...agent, workflow_name: 'w' }],
        );
        await tx.bulk.merge('run_totals', rollups.run_totals, [total]);
        await tx.bulk.mergeAll([
          { table: 'run_totals', merging: rollups.run_totals, rows: [total] },
        ]);
        await tx.bulk.add('run_totals', { key, add }, [total]);
        await tx.bulk.find('steps', ['step_name'], {
          tenantId: 'tnt_1',
          by: 'run_id',
          values: [99],
        });
      }
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where name like 'often_%'`.execute(tx.db);
      return rows.map(({ statement }) => statement.split(' (')[0]);
    });
    expect(new Set(prepared)).toEqual(
      new Set([
        'insert into "run_totals"',
        'insert into "steps"',
        'insert into "workflows"',
        'select "step_name" from "steps"\n        where "tenant_id" = $1 and "run_id" = any($2) ',
        'with d as materialized',
        'with part_0 as',
        'with stored as',
      ]),
    );
  }));

test('PostgreSQL gets all values unchanged', () =>
  withStorage('postgres', async ({ db }) => {
    const columns = [
      { name: 'text', type: 'text' },
      { name: 'int4', type: 'int4' },
      { name: 'int8', type: 'int8' },
      { name: 'float8', type: 'float8' },
    ] as const;
    const row = fc.record({
      text: fc.option(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))),
      int4: fc.option(fc.integer()),
      int8: fc.option(
        fc.oneof(fc.maxSafeInteger(), fc.bigInt(-(2n ** 62n), 2n ** 62n).map(Number)),
      ),
      float8: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
        const arrays = arraysOf(columns, rows);
        const read = await sql`
          select * from unnest(${arrays[0]}::text[], ${arrays[1]}::int4[], ${arrays[2]}::int8[],
            ${arrays[3]}::float8[]) as d (text, int4, int8, float8)`.execute(db);
        expect(read.rows).toEqual(rows);
      }),
    );
  }));

test('on PostgreSQL recording a call changes no index entry of its run', () =>
  withStorage('postgres', async (storage) => {
    const run = {
      tenant_id: 'tnt_1',
      workflow_id: 1,
      agent_name: 'a',
      workflow_name: 'w',
      tags: '[]',
      status: 'running',
      started_at: 1,
      llm_call_count: 0,
      tokens: 0,
      cost: 0,
    } as const;
    const counts = await inTransaction(storage, async (tx) => {
      const [id = 0] = await tx.bulk.insertCounted('runs', [run]);
      const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
      await tx.bulk.add('runs', how, [
        { tenant_id: 'tnt_1', id, llm_call_count: 1, tokens: 7, cost: 0.5 },
      ]);
      const { rows } = await sql`
        select pg_stat_get_xact_tuples_updated('runs'::regclass) as updated,
          pg_stat_get_xact_tuples_hot_updated('runs'::regclass) as in_place`.execute(tx.db);
      return rows;
    });
    expect(counts).toEqual([{ updated: 1, in_place: 1 }]);
  }));

test('on PostgreSQL two transactions that add to the same rows do not deadlock', () =>
  withStorage('postgres', async (storage) => {
    const how = { key: ['tenant_id', 'agent_name', 'status'], add: ['run_count'] } as const;
    const row = (agent_name: string) => ({
      tenant_id: 'tnt_1',
      agent_name,
      status: 'running' as const,
      run_count: 1,
    });
    const add = (tx: Tx, ...agents: string[]) => tx.bulk.add('run_totals', how, agents.map(row));
    await inTransaction(storage, (tx) => tx.bulk.insert('run_totals', [row('a'), row('b')]));
    let other: Promise<void> | undefined;
    await inTransaction(storage, async (tx) => {
      await add(tx, 'a');
      other = inTransaction(storage, async (second) => {
        // Without these joins it would lock the rows in the given order.
        await sql`set local enable_hashjoin = off`.execute(second.db);
        await sql`set local enable_mergejoin = off`.execute(second.db);
        await add(second, 'b', 'a');
      });
      // It has locked the rows that are available.
      await untilLockWaiter(storage.db);
      await add(tx, 'b');
    });
    await other;
    const found = await storage.db.selectFrom('run_totals').select('run_count').execute();
    expect(found).toEqual([{ run_count: 3 }, { run_count: 3 }]);
  }));

test('on PostgreSQL a call that is recorded while its text becomes a prompt is counted', () =>
  withStorage('postgres', async (storage) => {
    const { db } = storage;
    const tenant_id = 'tnt_1';
    const at = 1_800_000_000_000;
    const recorder = createRecorder(
      storage,
      createTenantStateCache(storage),
      () => at,
      () => undefined,
    );
    const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });
    const run = await recorder.start(
      runRow(tenant_id, { agent_name: 'a', workflow_name: 'w' }, at, masker),
    );
    const price = () => ({ cost: 1, cost_source: 'table' as const });
    const call = { model: 'm', tokens_in: 1, tokens_out: 1, prompt_preview: 'Hello' };
    const row = callRow(call, at, { price, masker });
    let close = async (): Promise<void> => {};
    const work = async (recording: Recording): Promise<void> => {
      const runs = await findRuns(recording, tenant_id, [run.id]);
      await addTelemetry(recording, [{ run: runs.get(run.id) as RunRef, calls: [row] }]);
      const version = {
        tenant_id,
        prompt_id: 'prm_1',
        version: 1,
        config: '{}',
        content_hash: row.prompt_hash,
        content_preview: '',
        commit_message: '',
        created_by: '',
        created_at: at,
        content: '""',
      };
      await storage.transaction((other) => insertVersion(other, version));
      const haveTransactionsEnded = vi.fn<Storage['haveTransactionsEnded']>(
        storage.haveTransactionsEnded,
      );
      const watched = { ...storage, haveTransactionsEnded };
      close = startCountingEarlierUsage({ storage: watched, log: pino({ level: 'silent' }) });
      // The counting has noticed this transaction and waits for its end.
      await expect.poll(() => haveTransactionsEnded.mock.calls.length).toBeGreaterThan(2);
    };
    await inTransaction(storage, (tx) => runRecording(tx, storage, work));
    const count = async () =>
      (await db.selectFrom('prompt_usage').select('call_count').executeTakeFirst())?.call_count;
    await expect.poll(count).toBe(1);
    await close();
  }));

test('of two transactions that wait for each other, PostgreSQL rolls one back, which is retried', () =>
  withStorage('postgres', async (storage) => {
    const rolledBack: unknown[] = [];
    const change = (tx: Tx, run_id: number) =>
      tx.db.updateTable('steps').set({ output: '{}' }).where('run_id', '=', run_id).execute();
    await inTransaction(storage, (tx) => tx.bulk.insert('steps', [step, { ...step, run_id: 100 }]));
    const changed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const changeBoth = async (first: 0 | 1) => {
      try {
        await storage.transaction(async (tx) => {
          await change(tx, 99 + first);
          changed[first].resolve();
          await changed[1 - first]?.promise;
          await change(tx, 100 - first);
        });
      } catch (error) {
        rolledBack.push(error);
        throw error;
      }
    };
    const retried = (first: 0 | 1) => retryConflicts(storage, () => changeBoth(first));
    await Promise.all([retried(0), retried(1)]);
    expect(rolledBack).toHaveLength(1);
    expect(storage.isTransactionRollback(rolledBack[0])).toBe(true);
    expect(storage.isUnavailable(rolledBack[0])).toBe(false);
  }));

test('SQLite copies its log into the database while writes continue', () =>
  withStorage('sqlite', async (storage, dataDir) => {
    const file = join(dataDir, 'gatehouse.db');
    const before = statSync(file).size;
    const output = 'x'.repeat(100_000);
    for (let i = 0; i < 60; i += 1)
      await inTransaction(storage, (tx) => tx.bulk.insert('steps', [{ ...step, output }]));
    await expect.poll(() => statSync(file).size - before).toBeGreaterThan(5_000_000);
  }));

test('SQLite reports the original error if it has rolled a transaction back itself', () =>
  withStorage('sqlite', async (storage) => {
    const failing = inTransaction(storage, async (tx) => {
      await sql`rollback`.execute(tx.db);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await inTransaction(storage, (tx) => tx.bulk.insert('steps', [step]));
  }));
