import { expect } from 'vitest';
import type { Storage } from '#control-plane/storage/open.ts';
import { rollups, type RollupTable } from '#control-plane/usage/rollups.ts';
import { writeTotalsOfRecords } from './totals-of-records.ts';

const tables = [
  ...(Object.keys(rollups) as RollupTable[]),
  'group_totals',
  'agent_group_totals',
] as const;

const mayBeZero = new Set<string>([
  'run_totals',
  'run_hours',
  'group_totals',
  'agent_group_totals',
]);

/** Fails unless all totals match the recorded rows. */
export async function expectTotalsOfRecords(storage: Storage): Promise<void> {
  const kept = await readTotals(storage);
  for (const table of tables) await storage.db.deleteFrom(table).execute();
  await writeTotalsOfRecords(storage.db);
  expect(kept).toEqual(await readTotals(storage));
}

/** The totals without the columns that cannot be computed from the recorded rows. */
async function readTotals(storage: Storage): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await storage.db
      .selectFrom(table as 'run_totals')
      .selectAll()
      .execute();
    found[table] = rows
      // A row of zeros counts as no row: the last running run has ended, or the last session was
      // deleted.
      .filter(
        (row) =>
          !mayBeZero.has(table) || (row.run_count ?? (row as { total?: number }).total) !== 0,
      )
      .map((row) => ({ ...row, last_activity: 0, last_seen: 0, numeric_min: 0, numeric_max: 0 }))
      .map((row) => ('revision' in row ? { ...row, revision: 0 } : row))
      .map((row) => ({ ...row, ...costOf(row) }))
      .map((row) => JSON.stringify(row, Object.keys(row).sort()))
      .sort();
  }
  return found;
}

/** Rounds costs, whose last digits depend on the order of the sum. */
const costOf = (row: object): object =>
  'total_cost' in row ? { total_cost: Number(Number(row.total_cost).toFixed(12)) } : {};
