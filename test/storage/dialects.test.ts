import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createMasker } from '#control-plane/masking/masker.ts';
import { insertVersion } from '#control-plane/prompts/queries.ts';
import { startCountingEarlierUsage } from '#control-plane/prompts/count-earlier-usage.ts';
import { addTelemetry, findRuns } from '#control-plane/recording/queries.ts';
import { createRecorder } from '#control-plane/recording/recorder.ts';
import { callRow, runRow } from '#control-plane/recording/rules.ts';
import { openStorage, type Storage, type Trx } from '#control-plane/storage/open.ts';
import { arraysOf } from '#control-plane/storage/postgres-arrays.ts';
import type { RunRef } from '#control-plane/usage/count.ts';
import { storeTally } from '#control-plane/usage/queries.ts';
import { rollups } from '#control-plane/usage/rollups.ts';
import { newTally } from '#control-plane/usage/tally.ts';
import { type databases, newDatabase, untilAnotherWaits } from '../support/databases.ts';

const step = { tenant_id: 'tnt_1', run_id: 99, step_name: 's', output: null, created_at: 1 };

/** What only one of the databases has. */
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

const inTransaction = <T>({ db }: Storage, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute(work);

test('PostgreSQL plans once what is written again and again', () =>
  withStorage('postgres', async (storage) => {
    const { bulk } = storage;
    const agent = { tenant_id: 'tnt_1', agent_name: 'a' };
    const total = { ...agent, status: 'running' as const, run_count: 1 };
    const { key, add } = rollups.run_totals;
    const prepared = await inTransaction(storage, async (trx) => {
      for (let i = 0; i < 30; i += 1) {
        await bulk.insert(trx, 'steps', [step]);
        await bulk.insertCounted(trx, 'steps', [step]);
        await bulk.insertNew(
          trx,
          'workflows',
          ['tenant_id', 'agent_name', 'workflow_name'],
          [{ ...agent, workflow_name: 'w' }],
        );
        await bulk.merge(trx, 'run_totals', rollups.run_totals, [total]);
        await bulk.mergeAll(trx, [
          { table: 'run_totals', merging: rollups.run_totals, rows: [total] },
        ]);
        await bulk.add(trx, 'run_totals', { key, add }, [total]);
        await bulk.find(trx, 'steps', ['step_name'], {
          tenantId: 'tnt_1',
          by: 'run_id',
          values: [99],
        });
      }
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where name like 'often_%'`.execute(trx);
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

test('PostgreSQL is given all values as they are', () =>
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

test('on PostgreSQL two that add to the same rows never wait for each other', () =>
  withStorage('postgres', async (storage) => {
    const how = { key: ['tenant_id', 'agent_name', 'status'], add: ['run_count'] } as const;
    const row = (agent_name: string) => ({
      tenant_id: 'tnt_1',
      agent_name,
      status: 'running' as const,
      run_count: 1,
    });
    const add = (trx: Trx, ...agents: string[]) =>
      storage.bulk.add(trx, 'run_totals', how, agents.map(row));
    await inTransaction(storage, (trx) =>
      storage.bulk.insert(trx, 'run_totals', [row('a'), row('b')]),
    );
    let other: Promise<void> | undefined;
    await inTransaction(storage, async (trx) => {
      await add(trx, 'a');
      other = inTransaction(storage, async (second) => {
        // Then it would take the rows in the order in which they are given.
        await sql`set local enable_hashjoin = off`.execute(second);
        await sql`set local enable_mergejoin = off`.execute(second);
        await add(second, 'b', 'a');
      });
      // It has taken what it can get.
      await untilAnotherWaits(storage.db);
      await add(trx, 'b');
    });
    await other;
    const found = await storage.db.selectFrom('run_totals').select('run_count').execute();
    expect(found).toEqual([{ run_count: 3 }, { run_count: 3 }]);
  }));

test('on PostgreSQL a call that is recorded while its text becomes a prompt is counted', () =>
  withStorage('postgres', async (storage) => {
    const { bulk, db, search } = storage;
    const tenant_id = 'tnt_1';
    const at = 1_800_000_000_000;
    const recorder = createRecorder(
      storage,
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
    await inTransaction(storage, async (trx) => {
      const recording = { trx, bulk, search, tally: newTally() };
      const runs = await findRuns(recording, tenant_id, [run.id]);
      await addTelemetry(recording, [{ run: runs.get(run.id) as RunRef, calls: [row] }]);
      await insertVersion(db, {
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
      });
      const haveEnded = vi.fn<Storage['haveEnded']>(storage.haveEnded);
      const watched = { ...storage, haveEnded };
      close = startCountingEarlierUsage({ storage: watched, log: pino({ level: 'silent' }) });
      // It knows of this transaction, and waits for its end.
      await expect.poll(() => haveEnded.mock.calls.length).toBeGreaterThan(2);
      await storeTally(trx, bulk, recording.tally);
    });
    const count = async () =>
      (await db.selectFrom('prompt_usage').select('call_count').executeTakeFirst())?.call_count;
    await expect.poll(count).toBe(1);
    await close();
  }));

test('PostgreSQL says of a transaction that it broke off that it may be tried again', () =>
  withStorage('postgres', async (storage) => {
    const { db, bulk } = storage;
    const change = (trx: Trx, run_id: number) =>
      trx.updateTable('steps').set({ output: '{}' }).where('run_id', '=', run_id).execute();
    await inTransaction(storage, (trx) =>
      bulk.insert(trx, 'steps', [step, { ...step, run_id: 100 }]),
    );
    let other: Promise<unknown> | undefined;
    const one = inTransaction(storage, async (trx) => {
      await change(trx, 99);
      await new Promise<void>((resolve) => {
        other = db.transaction().execute(async (second) => {
          await change(second, 100);
          resolve();
          await change(second, 99);
        });
        other.catch(() => undefined);
      });
      await change(trx, 100);
    });
    // Either may be the one.
    const ends = [...(await Promise.allSettled([one])), ...(await Promise.allSettled([other]))];
    const errors = ends.flatMap((end) =>
      end.status === 'rejected' ? [end.reason as unknown] : [],
    );
    expect(errors).toHaveLength(1);
    expect(storage.isBrokenOff(errors[0])).toBe(true);
    expect(storage.isUnavailable(errors[0])).toBe(false);
  }));

test('SQLite has its log copied into the database beside writing', () =>
  withStorage('sqlite', async (storage, dataDir) => {
    const file = join(dataDir, 'gatehouse.db');
    const before = statSync(file).size;
    const output = 'x'.repeat(100_000);
    for (let i = 0; i < 60; i += 1)
      await inTransaction(storage, (trx) =>
        storage.bulk.insert(trx, 'steps', [{ ...step, output }]),
      );
    await expect.poll(() => statSync(file).size - before).toBeGreaterThan(5_000_000);
  }));

test('SQLite that took a transaction back by itself says why, not that there is none', () =>
  withStorage('sqlite', async (storage) => {
    const failing = inTransaction(storage, async (trx) => {
      await sql`rollback`.execute(trx);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await inTransaction(storage, (trx) => storage.bulk.insert(trx, 'steps', [step]));
  }));
