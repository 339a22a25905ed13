import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { readerPool } from '#control-plane/storage/reader-pool.ts';
import { startReaderThread } from '#control-plane/storage/reader-thread.ts';
import { databases } from '../support/databases.ts';
import { setUpStorage } from '../support/storage.ts';

const tenant = (id: string) => ({ id, name: 'x', config_version: 0, created_at: 1 });

/** Numbers of rows that take long to read. */
const long = { sqlite: 1_500_000, postgres: 1_000_000 };
const scan = (rows: number) => sql<{ n: number }>`
  with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${rows})
  select max(n) as n from counted`;

describe.each(databases)('the reader on %s', (kind) => {
  const world = setUpStorage(kind);

  const insert = (id: string) =>
    world.storage.db.insertInto('tenants').values(tenant(id)).execute();
  const find = (id: string) =>
    world.storage.reader.selectFrom('tenants').selectAll().where('id', '=', id).execute();

  test('sees what was committed before the query, with the types of the other connections', async () => {
    for (let i = 0; i < 20; i += 1) {
      await insert(`tnt_${i}`);
      expect(await find(`tnt_${i}`)).toMatchObject([tenant(`tnt_${i}`)]);
    }
  });

  test('cannot write', async () => {
    const writing = world.storage.reader.insertInto('tenants').values(tenant('no')).execute();
    await expect(writing).rejects.toThrow(/read-?\s?only/);
    expect(await find('no')).toEqual([]);
  });

  test('an error keeps its message, and does not affect later queries', async () => {
    await expect(sql`select * from nowhere`.execute(world.storage.reader)).rejects.toThrow(
      /nowhere/,
    );
    expect(await find('unknown')).toEqual([]);
  });

  test('a transaction sees one state, and ends after an error', async () => {
    const { reader } = world.storage;
    const count = async (db: typeof reader) =>
      (await db.selectFrom('tenants').select('id').execute()).length;
    await reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const before = await count(trx);
        await insert('tnt_meanwhile');
        expect([await count(trx), await count(reader)]).toEqual([before, before + 1]);
      });
    const failing = reader.transaction().execute((trx) => sql`select nothing`.execute(trx));
    await expect(failing).rejects.toThrow(/nothing/);
    for (let i = 0; i < 10; i += 1) expect(await find('unknown')).toEqual([]);
  });

  test('writes and other reads continue during a long scan', async () => {
    const orderBesides = async (rows: number): Promise<string[]> => {
      const done: string[] = [];
      const scanning = scan(rows)
        .execute(world.storage.reader)
        .then(() => done.push('scan'));
      await insert(`tnt_beside_${rows}`).then(() => done.push('write'));
      await find(`tnt_beside_${rows}`).then(() => done.push('read'));
      await scanning;
      return done;
    };
    // On a busy machine a short scan may end first.
    let order: string[] = [];
    for (const times of [1, 4, 16]) {
      order = await orderBesides(times * long[kind]);
      if (order.at(-1) === 'scan') break;
    }
    expect(order).toEqual(['write', 'read', 'scan']);
  });

  test.runIf(kind === 'postgres')('queries are cancelled after half a minute', async () => {
    const url = new URL(world.database.databaseUrl ?? '');
    url.searchParams.set('options', '-c work_mem=5MB');
    const other = await openStorage({
      ...world.database,
      databaseUrl: url.href,
      onProblem: () => undefined,
    });
    const show = async (name: string) =>
      (await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(other.reader)).rows[0]?.[
        name
      ];
    expect([await show('statement_timeout'), await show('work_mem')]).toEqual(['30s', '5MB']);
    const tooLong = await other.reader
      .transaction()
      .execute(async (trx) => {
        await sql`set local statement_timeout = 10`.execute(trx);
        await sql`select pg_sleep(5)`.execute(trx);
      })
      .catch((error: unknown) => error);
    expect(other.isUnavailable(tooLong)).toBe(true);
    await other.close();
  });

  test('closing waits for running queries', async () => {
    const other = await openStorage({ ...world.database, onProblem: () => undefined });
    await scan(1).execute(other.reader);
    const scanning = scan(10_000).execute(other.reader);
    await scan(1).execute(other.reader);
    const [{ rows }] = await Promise.all([scanning, other.close()]);
    expect(rows).toEqual([{ n: 10_000 }]);
    await expect(other.reader.selectFrom('tenants').select('id').execute()).rejects.toThrow(/./);
  });
});

describe('the pool of reading threads', () => {
  const question = { text: 'select 1 as one', parameters: [] };

  test('the query of a thread that ends fails, and another thread replaces it', async () => {
    const started: string[] = [];
    // The first thread finds no database.
    const files = [
      { databaseFile: '/nowhere/no.db', searchFile: '' },
      { databaseFile: '', searchFile: ':memory:' },
    ];
    const pool = readerPool(() => {
      const next = files[started.length] ?? { databaseFile: '', searchFile: '' };
      started.push(next.databaseFile);
      return startReaderThread({ ...next, databaseFile: next.databaseFile || ':memory:' });
    }, 1);
    const first = await pool.acquire();
    const waiting = pool.acquire();
    await expect(first.query(question)).rejects.toThrow(/directory does not exist/);
    await expect(first.query(question)).rejects.toThrow(/directory does not exist/);
    pool.release(first);
    const second = await waiting;
    expect(second).not.toBe(first);
    await pool.close();
  });

  test('starts threads only when needed, up to the maximum', async () => {
    let started = 0;
    const thread = () => ({
      number: (started += 1),
      isDead: () => false,
      query: () => Promise.resolve([]),
      stop: () => Promise.resolve(),
    });
    const pool = readerPool(thread, 2);
    expect(started).toBe(0);
    const one = await pool.acquire();
    pool.release(one);
    expect(await pool.acquire()).toBe(one);
    expect(started).toBe(1);
    const two = await pool.acquire();
    const third = pool.acquire();
    pool.release(two);
    expect(await third).toBe(two);
    expect(started).toBe(2);
    await pool.close();
    await expect(pool.acquire()).rejects.toThrow('the database is closed');
  });
});
