import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { API_KEY, OWNER, startOn } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, pollUntil, type Program, startProgram } from '../support/processes.ts';
import { databaseOf, query } from '../support/postgres.ts';
import { createDiskFiller, onSmallDisk } from '../support/small-disk.ts';

const OK = { status: 'ok' };
const FULL = 'the disk of DATA_DIR is full: writes fail until there is free space';
const LOCKED =
  'another program has locked the database in DATA_DIR: try again when it has finished';

/** Creates functions that send requests to a control plane at this address. */
function clientOf(baseUrl: string) {
  const sendRequest = async (path: string, headers: object = {}, body?: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: { ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    sendRequest,
    readyz: () => sendRequest('/readyz/'),
    /** Records a run. */
    startRun: () =>
      sendRequest('/api/v1/observe/runs/start/', { 'X-Svc-Key': API_KEY }, { agent_name: 'a' }),
  };
}

const unavailable = (check: string, reason: string) => ({
  status: 503,
  body: {
    status: 'unavailable',
    error: `${check}: ${reason}`,
    checks: {
      database: OK,
      recording: OK,
      migrations: OK,
      [check]: { status: 'failed', reason },
    },
  },
});

const hasStatus =
  (expected: number) =>
  ({ status }: { status: number }): boolean =>
    status === expected;

describe.each(databases)('readiness on %s', (kind) => {
  test('a database that another version has migrated is reported, with the migration', async () => {
    const database = await newDatabase(kind);
    const { controlPlane } = await startOn(database);
    const { readyz } = clientOf(controlPlane.urls.public);
    const change = (statement: string): unknown =>
      database.databaseUrl ? query(database.databaseUrl, statement) : onFile(database, statement);
    await expect.poll(readyz).toEqual({
      status: 200,
      body: {
        status: 'ok',
        checks: { database: OK, recording: OK, migrations: OK },
        search: { calls: 0, seconds: 0 },
      },
    });
    await change(`insert into kysely_migration (name, timestamp) values ('999-later', '2099')`);
    await expect
      .poll(readyz)
      .toEqual(
        unavailable(
          'migrations',
          'a newer version has upgraded the database (999-later): run that version',
        ),
      );
    await change(`delete from kysely_migration where name in ('999-later', '001-schema')`);
    await expect
      .poll(readyz)
      .toEqual(
        unavailable(
          'migrations',
          'the database lacks 001-schema: a restart of this version upgrades it',
        ),
      );
    await change(`insert into kysely_migration (name, timestamp) values ('001-schema', '2099')`);
    await pollUntil(readyz, hasStatus(200));
    await controlPlane.close();
    await database.remove();
  });
});

function onFile({ dataDir }: TestDatabase, statement: string): void {
  const file = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
  file.exec(statement);
  file.close();
}

describe('SQLite', () => {
  let folder: string;
  let program: Program | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-readiness-'));
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function startControlPlane(commandPrefix: string[] = []) {
    const port = await freePort();
    program = startProgram(
      built.controlPlane,
      {
        HOST: '127.0.0.1',
        PORT: String(port),
        DEVICE_PORT: '0',
        DATA_DIR: folder,
        BOOTSTRAP_API_KEY: API_KEY,
        BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
        BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
        LOG_LEVEL: 'silent',
      },
      commandPrefix,
    );
    await program.waitForOutput(/devices/);
    const client = clientOf(`http://127.0.0.1:${port}`);
    const { body } = await client.sendRequest('/api/v1/auth/login/', {}, OWNER);
    const session = { Authorization: `Bearer ${String(body.token)}` };
    const runs = () => client.sendRequest('/api/v1/observability/runs/', session);
    return { ...client, program, runs };
  }

  test(
    'a full disk is reported by writes and by /readyz until there is space again',
    { tags: ['small-disks'] },
    async () => {
      const {
        program: started,
        readyz,
        startRun,
        runs,
        sendRequest,
      } = await startControlPlane(onSmallDisk(folder, 24));
      await pollUntil(readyz, hasStatus(200));
      // Starting to read requires space for the files that SQLite shares between connections.
      expect(await runs()).toMatchObject({ status: 200 });
      const disk = createDiskFiller(started, folder);
      disk.fillExcept(512 * 1024);
      // Enough space for a small request, but not for a large one.
      expect(await startRun()).toMatchObject({ status: 201 });
      await expect.poll(readyz).toEqual(unavailable('recording', FULL));
      let recorded = 1;
      disk.fillExcept(0);
      // The log of SQLite may have space for a few more runs.
      const refused = await pollUntil(async () => {
        const answer = await startRun();
        if (answer.status === 201) recorded += 1;
        return answer;
      }, hasStatus(503));
      expect(refused.body).toEqual({ error: FULL });
      expect(await sendRequest('/healthz/')).toMatchObject({ status: 200 });
      expect(await runs()).toMatchObject({ status: 200, body: { count: recorded } });
      disk.empty();
      await pollUntil(readyz, hasStatus(200));
      expect(await startRun()).toMatchObject({ status: 201 });
      expect(await runs()).toMatchObject({ body: { count: recorded + 1 } });
    },
  );

  test('a lock held by another process delays only writes, and not indefinitely', async () => {
    const { sendRequest, readyz, runs, startRun } = await startControlPlane();
    // The first read may take as long as a write waits for the lock.
    expect(await runs()).toMatchObject({ status: 200 });
    const foreign = new BetterSqlite3(join(folder, 'gatehouse.db'));
    foreign.exec('begin immediate');
    const completed: string[] = [];
    const note = async <T>(name: string, answer: Promise<T>): Promise<T> => {
      const value = await answer;
      completed.push(name);
      return value;
    };
    const writes = [startRun(), startRun()].map((write) => note('write', write));
    expect(await note('healthz', sendRequest('/healthz/'))).toMatchObject({ status: 200 });
    expect(await note('runs', runs())).toMatchObject({ status: 200, body: { count: 0 } });
    expect(completed).toEqual(['healthz', 'runs']);
    for (const write of writes)
      expect(await write).toMatchObject({ status: 503, body: { error: LOCKED } });
    await expect.poll(readyz).toEqual(unavailable('recording', LOCKED));
    const waiting = startRun();
    await sendRequest('/healthz/');
    foreign.exec('rollback');
    expect(await waiting).toMatchObject({ status: 201 });
    await pollUntil(readyz, hasStatus(200));
    expect(await runs()).toMatchObject({ body: { count: 1 } });
    foreign.close();
  });

  test('a read-only database is reported', async () => {
    const storage = await openStorage({ dataDir: folder, onProblem: () => undefined });
    const { recording } = storage.checks;
    await expect.poll(recording).toEqual(OK);
    await sql`pragma query_only = on`.execute(storage.db);
    await expect.poll(recording).toEqual({
      status: 'failed',
      reason: 'the database in DATA_DIR is read-only: writes fail',
    });
    await sql`pragma query_only = off`.execute(storage.db);
    await expect.poll(recording).toEqual(OK);
    await storage.close();
  });
});

describe('PostgreSQL', () => {
  const READ_ONLY = 'PostgreSQL is read-only: writes fail';

  test('a read-only database is reported by writes and by /readyz, until it accepts writes', async () => {
    const database = await newDatabase('postgres');
    const { controlPlane } = await startOn(database, { LOG_LEVEL: 'silent' });
    const { readyz, startRun } = clientOf(controlPlane.urls.public);
    const url = database.databaseUrl ?? '';
    const name = new URL(url).pathname.slice(1);
    // A database setting applies to new connections only.
    const set = (value: string) =>
      query(
        databaseOf(url, 'postgres'),
        `alter database ${name} set default_transaction_read_only = ${value}`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    expect(await startRun()).toMatchObject({ status: 201 });
    await set('on');
    expect(
      await pollUntil(
        () => startRun(),
        ({ body }) => String(body.error).includes('read-only'),
      ),
    ).toMatchObject({ status: 503, body: { error: READ_ONLY } });
    await expect.poll(readyz).toEqual(unavailable('recording', READ_ONLY));
    await set('off');
    await pollUntil(readyz, hasStatus(200));
    await pollUntil(startRun, hasStatus(201));
    await controlPlane.close();
    await database.remove();
  });
});
