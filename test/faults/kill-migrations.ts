import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import { built, type Program, startProgram } from '../support/processes.ts';
import { LATER_TABLE } from '../support/migrations.ts';
import { makeOldDataFolder, type OldVersion, oldVersions, tablesOf } from './old-database.ts';
import { recordSamples } from './record-samples.ts';

export interface KillsSummary {
  rounds: number;
  firstStarts: number;
  upgrades: number;
  kills: number;
  /** The number of kills in each phase. */
  beforeDatabase: number;
  beforeSchema: number;
  afterSchema: number;
  faults: string[];
}

const FILE = 'gatehouse.db';

/** The killed program, and a table that exists once its migrations have been applied. */
interface Killed {
  program: string;
  lastTable: string;
}

const firstStart: Killed = { program: built.controlPlane, lastTable: 'tenants' };
const upgrade: Killed = { program: 'test/faults/later-control-plane.ts', lastTable: LATER_TABLE };

/**
 * Tables that a control plane writes on its own after its start. The calls of an hour are counted
 * in the background when the hour is over.
 */
const NOT_COMPARED = new Set([
  'audit_entries',
  'call_hours',
  'counted_hours',
  'intermediates',
  'sessions',
  'sign_in_failures',
]);

/**
 * Kills a real control plane while it creates or upgrades a SQLite database, at moments that cover
 * its whole start, and restarts it. The result must be the same as without the kill.
 */
export async function killMigrations(
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<KillsSummary> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-kills-'));
  const summary: KillsSummary = {
    rounds,
    firstStarts: 0,
    upgrades: 0,
    kills: 0,
    beforeDatabase: 0,
    beforeSchema: 0,
    afterSchema: 0,
    faults: [],
  };
  try {
    const references = await makeReferences(home);
    for (let round = 0; round < rounds && summary.faults.length === 0; round += 1) {
      const folder = join(home, 'round');
      const old = round % 2 ? oldVersions[(round >> 1) % oldVersions.length] : undefined;
      const fault = await (old
        ? killUpgrade(folder, references, old, summary)
        : killFirstStart(folder, references, summary));
      if (fault) summary.faults.push(`round ${round + 1}, ${old ?? 'first start'}: ${fault}`);
      else rmSync(folder, { recursive: true, force: true });
      onRound(round + 1);
    }
  } finally {
    if (summary.faults.length === 0) rmSync(home, { recursive: true, force: true });
  }
  return summary;
}

interface References {
  home: string;
  schema: string;
  /** The results of uninterrupted upgrades, by old version. */
  upgraded: ReadonlyMap<OldVersion, Upgraded>;
  /** The duration of a start from opening the database to the banner. */
  openMs: number;
  /** The duration of a start before it opens the database. */
  loadMs: number;
}

type Contents = ReadonlyMap<string, string>;

interface Upgraded {
  schema: string;
  contents: Contents;
}

const given = {
  BOOTSTRAP_API_KEY: API_KEY,
  BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
  BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
};

const start = ({ program }: Killed, folder: string, env: Record<string, string> = {}): Program =>
  startProgram(program, {
    HOST: '127.0.0.1',
    PORT: '0',
    DEVICE_PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    ...env,
  });

const started = /devices {4}http.*\n/;

async function makeReferences(home: string): Promise<References> {
  const current = join(home, 'current');
  const began = performance.now();
  let openedAt = began;
  let startedAt = began;
  await during(start(firstStart, current, given), async (program) => {
    await opened(current);
    openedAt = performance.now();
    await program.waitForOutput(started);
    startedAt = performance.now();
    await recordSamples(urlIn(program), API_KEY);
  });
  const upgraded = new Map<OldVersion, Upgraded>();
  for (const old of oldVersions) {
    await makeOldDataFolder(current, join(home, old), old);
    const folder = join(home, 'reference');
    cpSync(join(home, old), folder, { recursive: true });
    await during(start(upgrade, folder), (program) => program.waitForOutput(started));
    upgraded.set(old, { schema: schemaOf(folder), contents: contentsOf(folder) });
    rmSync(folder, { recursive: true });
  }
  const [loadMs, openMs] = [openedAt - began, startedAt - openedAt];
  return { home, schema: schemaOf(current), upgraded, openMs, loadMs };
}

/** Stops the program after the work, even if the work fails. */
async function during(program: Program, work: (program: Program) => Promise<void>): Promise<void> {
  try {
    await work(program);
    await program.stop();
  } finally {
    await program.stop('SIGKILL');
  }
}

async function killFirstStart(
  folder: string,
  references: References,
  summary: KillsSummary,
): Promise<string | undefined> {
  summary.firstStarts += 1;
  const said = await killed(firstStart, folder, references, summary);
  const next = start(firstStart, folder);
  try {
    await next.waitForOutput(started);
    const output = said + next.output();
    // The credentials that were printed last are valid, whichever start printed them.
    const apiKey = [...output.matchAll(/API key +(\S+)/g)].at(-1)?.[1];
    const [, email, password] = [...output.matchAll(/sign in +(\S+) +(\S+)/g)].at(-1) ?? [];
    if (!apiKey || !email || !password) return `no credentials were shown:\n${output}`;
    const url = urlIn(next);
    const recorded = await post(`${url}/api/v1/observe/runs/start/`, { agent_name: 'a' }, apiKey);
    const signedIn = await post(`${url}/api/v1/auth/login/`, { email, password });
    if (recorded !== 201 || signedIn !== 200)
      return `recording returned ${recorded}, signing in ${signedIn}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await next.stop('SIGKILL');
  }
  return differenceOf(folder, references.schema);
}

async function killUpgrade(
  folder: string,
  references: References,
  old: OldVersion,
  summary: KillsSummary,
): Promise<string | undefined> {
  summary.upgrades += 1;
  const expected = references.upgraded.get(old) as Upgraded;
  cpSync(join(references.home, old), folder, { recursive: true });
  await killed(upgrade, folder, references, summary);
  const next = start(upgrade, folder);
  try {
    await next.waitForOutput(started);
    // Stopped gracefully, so that no work is in progress when the data is compared.
    await next.stop();
    const wrong = wrongTables(expected.contents, contentsOf(folder));
    if (wrong.length > 0) return `after the upgrade these tables differ: ${wrong.join()}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await next.stop('SIGKILL');
  }
  return differenceOf(folder, expected.schema);
}

/** Starts and kills the program once or twice; returns the output of the starts. */
async function killed(
  what: Killed,
  folder: string,
  { openMs, loadMs }: References,
  summary: KillsSummary,
): Promise<string> {
  let said = '';
  for (let kill = Math.random() < 0.3 ? 2 : 1; kill > 0; kill -= 1) {
    const program = start(what, folder);
    const ended = program.waitForOutput(started).catch(() => undefined);
    if (Math.random() < 0.1) await pause(Math.random() * loadMs);
    else {
      await Promise.race([opened(folder), ended]);
      // Early moments are more likely, because the schema is created then.
      await Promise.race([pause(Math.random() ** 2 * openMs), ended]);
    }
    await program.stop('SIGKILL');
    said += program.output();
    summary.kills += 1;
    summary[momentOf(what, folder)] += 1;
  }
  return said;
}

/**
 * Resolves when the write-ahead log of the database exists, which is before the first migration.
 */
async function opened(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, `${FILE}-wal`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const readOutput = (): void => {
    if (existsSync(log)) resolve();
  };
  const watcher = watch(folder, readOutput);
  const timer = setInterval(readOutput, 100);
  readOutput();
  await promise;
  clearInterval(timer);
  watcher.close();
}

function momentOf(
  { lastTable }: Killed,
  folder: string,
): 'beforeDatabase' | 'beforeSchema' | 'afterSchema' {
  if (!existsSync(join(folder, `${FILE}-wal`))) return 'beforeDatabase';
  return read(folder, (database) => tablesOf(database).includes(lastTable))
    ? 'afterSchema'
    : 'beforeSchema';
}

/** Reads a copy, because the last program that closes a database checkpoints its log. */
function read<T>(folder: string, query: (database: BetterSqlite3.Database) => T): T {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  const database = new BetterSqlite3(join(copy, FILE));
  try {
    return query(database);
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
}

const schemaOf = (folder: string): string =>
  read(folder, (database) =>
    (
      database
        .prepare(
          `select coalesce(sql, name) from sqlite_schema where name not glob 'sqlite_stat*' order by 1`,
        )
        .pluck()
        .all() as string[]
    ).join('\n'),
  );

const contentsOf = (folder: string): Contents =>
  read(
    folder,
    (database) =>
      new Map(
        tablesOf(database)
          .filter((table) => !NOT_COMPARED.has(table))
          .map((table) => [table, digestOf(database, table)]),
      ),
  );

function digestOf(database: BetterSqlite3.Database, table: string): string {
  const hash = createHash('sha256');
  const columns = database.prepare(`select * from "${table}"`).columns();
  const order = columns.map((_, i) => i + 1).join();
  for (const row of database.prepare(`select * from "${table}" order by ${order}`).raw().iterate())
    hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

const wrongTables = (expected: Contents, found: Contents): string[] =>
  [...found.keys()].filter((table) => found.get(table) !== expected.get(table));

function differenceOf(folder: string, schema: string): string | undefined {
  const integrity = read(folder, (database) =>
    database.pragma('integrity_check', { simple: true }),
  );
  if (integrity !== 'ok') return `the database is damaged: ${String(integrity)}`;
  return schemaOf(folder) === schema
    ? undefined
    : 'the schema is not that of a start that nobody disturbs';
}

const urlIn = (program: Program): string =>
  /http:\/\/localhost:\d+/.exec(program.output())?.[0].replace('localhost', '127.0.0.1') ?? '';

async function post(url: string, body: object, apiKey?: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(apiKey && { 'X-Svc-Key': apiKey }) },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}
