/**
 * Measures how fast LLM calls are recorded, compared with the limit program for the same database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { startPostgres } from '#test/support/postgres-server.ts';
import { compare, type Shape } from './support/measure.ts';
import { startLimit, startControlPlane } from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

const BATCHES: Shape = { batch: 100, connections: 4, requests: 400, bytes: 1000 };
const SINGLE: Shape = { batch: 1, connections: 32, requests: 16_000, bytes: 1000 };
/** The number of rounds. The speed of a shared machine varies, so the result is the median. */
const ROUNDS = 11;

const rows: Row[] = [];

async function add(what: string, goal: number, result: Awaited<ReturnType<typeof compare>>) {
  rows.push([
    what,
    `${Math.round(result.ours)}`,
    `${Math.round(result.limit)}`,
    result.ratio.toFixed(2),
    `≥ ${goal}`,
  ]);
  console.log(rows.at(-1)?.join('  '));
}

async function onSqlite(synchronous: 'normal' | 'full'): Promise<void> {
  for (const [what, shape, goal, commits] of [
    ['batches of 100, 4 connections', BATCHES, 0.6, 'each'],
    ['single calls, 32 connections', SINGLE, 0.5, 'group'],
  ] as const) {
    const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
    const ours = await startControlPlane({ DATA_DIR: dir, SQLITE_SYNCHRONOUS: synchronous });
    const file = join(dir, 'limit.db');
    copySchema(join(dir, 'gatehouse.db'), file);
    const limit = await startLimit('limit-sqlite.ts', file, synchronous, commits);
    await add(
      `SQLite, synchronous=${synchronous}, ${what}`,
      goal,
      await compare(ours, limit, shape, ROUNDS),
    );
    await Promise.all([ours.stop(), limit.stop()]);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Creates the same table with the same indexes. */
function copySchema(from: string, to: string): void {
  const source = new BetterSqlite3(from, { readonly: true });
  const target = new BetterSqlite3(to);
  target.pragma('journal_mode = WAL');
  const schema = source
    .prepare("select sql from sqlite_master where tbl_name = 'llm_calls' and sql is not null")
    .all() as { sql: string }[];
  for (const { sql } of schema) target.exec(sql);
  source.close();
  target.close();
}

async function onPostgres(): Promise<void> {
  const postgres = await startPostgres();
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const ours = await startControlPlane({ DATA_DIR: dir, DATABASE_URL: postgres.url });
  const limit = await startLimit('limit-postgres.ts', postgres.url);
  await add(
    'PostgreSQL, batches of 100, 4 connections',
    0.6,
    await compare(ours, limit, BATCHES, ROUNDS),
  );
  await add(
    'PostgreSQL, single calls, 32 connections',
    0.5,
    await compare(ours, limit, SINGLE, ROUNDS),
  );
  await Promise.all([ours.stop(), limit.stop()]);
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

await onSqlite('normal');
await onSqlite('full');
await onPostgres();
writeSection(
  'ingest',
  ['what', 'calls/s', 'limit, calls/s', 'ratio', 'goal'],
  rows,
  'Calls are indexed while nothing is recorded, and for a twentieth of the time otherwise. The limit program runs after indexing has finished.',
);
