import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { openPool } from '#control-plane/storage/postgres-pool.ts';
import type { Tables } from '#control-plane/storage/tables.ts';
import { newDatabase, type TestDatabase } from '../support/databases.ts';

const CUTS = 300;
/** More than the number of connections, so that queries always wait for a free one. */
const BUSY = 90;

let database: TestDatabase;
let storage: Storage;
let admin: Client;
beforeAll(async () => {
  database = await newDatabase('postgres');
  storage = await openStorage({ ...database, onProblem: () => undefined });
  admin = new Client({ connectionString: database.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await storage.close();
  await database.remove();
});

const OTHERS = `datname = current_database() and pid <> pg_backend_pid()`;

test('a terminated connection fails at most one operation, and the pools recover', async () => {
  const { db, reader } = storage;
  const errors: unknown[] = [];
  const stopping = new AbortController();
  const works = [
    () => sql`select pg_sleep(0.002)`.execute(db),
    () => sql`select pg_sleep(0.002)`.execute(reader),
    () =>
      db.transaction().execute(async (trx) => {
        await trx.selectFrom('tenants').select('id').execute();
        await pause(1);
        await trx.deleteFrom('tenants').where('id', '=', 'none').execute();
      }),
  ];
  const busy = Array.from({ length: BUSY }, async (_, i) => {
    while (!stopping.signal.aborted)
      await works[i % works.length]?.().catch((error: unknown) => void errors.push(error));
  });
  let cut = 0;
  while (cut < CUTS) {
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS} order by random() limit 5`,
    );
    cut += rowCount ?? 0;
    await pause(5);
  }
  stopping.abort();
  await Promise.all(busy);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(cut);
  expect(errors.filter((error) => !storage.isUnavailable(error))).toEqual([]);

  // Uses all connections of a pool at the same time, each until the last one is in use.
  const everybody = async (of: typeof db, size: number): Promise<void> => {
    let here = 0;
    const all = Promise.withResolvers<void>();
    const one = () =>
      of.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        if (++here === size) all.resolve();
        await all.promise;
      });
    await Promise.all(Array.from({ length: size }, one));
  };
  await Promise.all([everybody(db, 20), everybody(reader, 4)]);
  // The connections that were terminated last may still be closing.
  const connections = async () => {
    const { rows } = await admin.query(
      `select count(*)::int as connections from pg_stat_activity where ${OTHERS}`,
    );
    return (rows[0] as { connections: number }).connections;
  };
  await expect.poll(connections).toBeLessThanOrEqual(24);
});

test('a connection that the server closes is not given to a waiting query', async () => {
  const pool = openPool(database.databaseUrl ?? '', { max: 1 }, () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const answers: unknown[] = [];
  for (let i = 0; i < 50; i += 1) {
    const cut = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    const next = sql<{ n: number }>`select 1 as n`.execute(db);
    const [one, other] = await Promise.allSettled([cut, next]);
    answers.push([one.status, other.status]);
  }
  await db.destroy();
  expect(answers).toEqual(Array.from({ length: 50 }, () => ['rejected', 'fulfilled']));
});

test.each([
  ['an idle killer', `set idle_in_transaction_session_timeout = 1`],
  ['a time limit of transactions', `set transaction_timeout = 1`],
])(
  '%s is reported as a database that does not respond, and its connection is closed',
  async (_, limit) => {
    const failing = storage.db.transaction().execute(async (trx) => {
      await sql.raw(limit).execute(trx);
      await pause(50);
      await sql`select 1`.execute(trx);
    });
    const error = await failing.catch((caught: unknown) => caught);
    expect(storage.unavailability(error)).toEqual({
      reason: 'database_unavailable',
      message: 'the database does not respond: try again in a moment',
    });
    await sql`select 1`.execute(storage.db);
  },
);
