import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import { built, type Program, run } from '../support/processes.ts';
import { makeOldFolder, tablesOf } from './old-database.ts';
import { recordSomething } from './record-something.ts';

export interface KillsSummary {
  rounds: number;
  firstStarts: number;
  upgrades: number;
  kills: number;
  /** Where the kills hit. */
  beforeDatabase: number;
  beforeSchema: number;
  afterSchema: number;
  faults: string[];
}

const FILE = 'gatehouse.db';

/** Versions to upgrade from: with the schema up to there. */
const OLD = ['001-first-schema', '012-audit', '020-captures', '024-states-by-subject'];

/** What a control plane writes by itself after its start, whether it was killed before or not. */
const NOT_COMPARED = new Set(['intermediates', 'sessions', 'sign_in_failures', 'audit_entries']);

/**
 * Kills a real control plane while it makes or upgrades a SQLite database, at moments that are spread
 * over its whole start, and starts it again: it has to go on as if nothing had happened.
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
      const old = round % 2 ? OLD[(round >> 1) % OLD.length] : undefined;
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
  /** By the old version: what each table holds after an upgrade that nobody disturbs. */
  upgraded: ReadonlyMap<string, Contents>;
  /** How long a start takes from opening the database to its banner. */
  openMs: number;
  /** And before that. */
  loadMs: number;
}

type Contents = ReadonlyMap<string, string>;

const given = {
  BOOTSTRAP_API_KEY: API_KEY,
  BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
  BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
};

const start = (folder: string, env: Record<string, string> = {}): Program =>
  run(built.controlPlane, {
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
  await during(start(current, given), async (program) => {
    await opened(current);
    openedAt = performance.now();
    await program.said(started);
    startedAt = performance.now();
    await recordSomething(urlIn(program), API_KEY);
  });
  const upgraded = new Map<string, Contents>();
  for (const old of OLD) {
    await makeOldFolder(current, join(home, old), old);
    const folder = join(home, 'reference');
    cpSync(join(home, old), folder, { recursive: true });
    await during(start(folder), (program) => program.said(started));
    upgraded.set(old, contentsOf(folder));
    rmSync(folder, { recursive: true });
  }
  const [loadMs, openMs] = [openedAt - began, startedAt - openedAt];
  return { home, schema: schemaOf(current), upgraded, openMs, loadMs };
}

/** Ends the program in order when the work is done, and anyhow when it fails. */
async function during(program: Program, work: (program: Program) => Promise<void>): Promise<void> {
  try {
    await work(program);
    await program.end();
  } finally {
    await program.end('SIGKILL');
  }
}

async function killFirstStart(
  folder: string,
  references: References,
  summary: KillsSummary,
): Promise<string | undefined> {
  summary.firstStarts += 1;
  const said = await killed(folder, references, summary);
  const next = start(folder);
  try {
    await next.said(started);
    const output = said + next.output();
    // The last that were shown count, whichever start showed them.
    const apiKey = [...output.matchAll(/API key +(\S+)/g)].at(-1)?.[1];
    const [, email, password] = [...output.matchAll(/sign in +(\S+) +(\S+)/g)].at(-1) ?? [];
    if (!apiKey || !email || !password) return `no credentials were shown:\n${output}`;
    const url = urlIn(next);
    const recorded = await post(`${url}/api/v1/observe/runs/start/`, { agent_name: 'a' }, apiKey);
    const signedIn = await post(`${url}/api/v1/auth/login/`, { email, password });
    if (recorded !== 201 || signedIn !== 200)
      return `recording answered ${recorded}, signing in ${signedIn}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await next.end('SIGKILL');
  }
  return differenceOf(folder, references.schema);
}

async function killUpgrade(
  folder: string,
  references: References,
  old: string,
  summary: KillsSummary,
): Promise<string | undefined> {
  summary.upgrades += 1;
  cpSync(join(references.home, old), folder, { recursive: true });
  await killed(folder, references, summary);
  const next = start(folder);
  try {
    await next.said(started);
    // Ended in order, so that what is compared is not of a moment in the middle of its work.
    await next.end();
    const wrong = wrongTables(references.upgraded.get(old), contentsOf(folder));
    if (wrong.length > 0) return `after the upgrade these tables differ: ${wrong.join()}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await next.end('SIGKILL');
  }
  return differenceOf(folder, references.schema);
}

/** Starts and kills once, or twice; answers what the starts said. */
async function killed(
  folder: string,
  { openMs, loadMs }: References,
  summary: KillsSummary,
): Promise<string> {
  let said = '';
  for (let kill = Math.random() < 0.3 ? 2 : 1; kill > 0; kill -= 1) {
    const program = start(folder);
    const ended = program.said(started).catch(() => undefined);
    if (Math.random() < 0.1) await pause(Math.random() * loadMs);
    else {
      await Promise.race([opened(folder), ended]);
      // Early moments are likelier: that is where the schema is made.
      await Promise.race([pause(Math.random() ** 2 * openMs), ended]);
    }
    await program.end('SIGKILL');
    said += program.output();
    summary.kills += 1;
    summary[momentOf(folder)] += 1;
  }
  return said;
}

/** Resolves when the log of the database appears, which is before the first migration. */
async function opened(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, `${FILE}-wal`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (existsSync(log)) resolve();
  };
  const watcher = watch(folder, look);
  const timer = setInterval(look, 100);
  look();
  await promise;
  clearInterval(timer);
  watcher.close();
}

function momentOf(folder: string): 'beforeDatabase' | 'beforeSchema' | 'afterSchema' {
  if (!existsSync(join(folder, `${FILE}-wal`))) return 'beforeDatabase';
  return read(folder, (database) => tablesOf(database).includes('asked_policies'))
    ? 'afterSchema'
    : 'beforeSchema';
}

/** From a copy: whoever opens a database and is the last to close it tidies up after the kill. */
function read<T>(folder: string, look: (database: BetterSqlite3.Database) => T): T {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  const database = new BetterSqlite3(join(copy, FILE));
  try {
    return look(database);
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

const wrongTables = (expected: Contents | undefined, found: Contents): string[] =>
  [...found.keys()].filter((table) => found.get(table) !== expected?.get(table));

function differenceOf(folder: string, schema: string): string | undefined {
  const integrity = read(folder, (database) =>
    database.pragma('integrity_check', { simple: true }),
  );
  if (integrity !== 'ok') return `the database is damaged: ${String(integrity)}`;
  return schemaOf(folder) === schema ? undefined : 'the schema is not that of a new database';
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
