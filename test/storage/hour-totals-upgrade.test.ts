/** The upgrade counts the runs of an older database by hour. */
import { expect, test } from 'vitest';
import { openStorage, type StorageOptions } from '#control-plane/storage/open.ts';
import { bucketOf, durationBounds, NO_DURATION } from '#control-plane/usage/duration-buckets.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { firstMigration } from '../support/migrations.ts';

const HOUR_MS = 3_600_000;
const HOUR = 480_000;
const run = {
  tenant_id: 't',
  workflow_id: 1,
  agent_name: 'a',
  workflow_name: 'default',
  tags: '[]',
  started_at: HOUR * HOUR_MS + 5,
  llm_call_count: 0,
  tokens: 0,
  cost: 0,
};

test.each(databases)('an upgrade counts runs by hour on %s', async (kind) => {
  const database = await newDatabase(kind, { isEmpty: true });
  const open = (options: Partial<StorageOptions> = {}) =>
    openStorage({ ...database, onProblem: (line) => expect.fail(line), ...options });
  const old = await open({ migrations: firstMigration });
  const durations = durationBounds.flatMap((bound) => [Math.max(0, bound - 1), bound]);
  const ended = durations.map((ms) => ({
    ...run,
    status: 'success' as const,
    completed_at: run.started_at + ms,
  }));
  await old.db
    .insertInto('runs')
    .values([...ended, { ...run, status: 'running', completed_at: null }])
    .execute();
  await old.close();

  const storage = await open();
  const rows = await storage.db.selectFrom('run_hours').selectAll().execute();
  const counts = new Map<number, number>([[NO_DURATION, 1]]);
  for (const ms of durations) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
  const byDuration = (a: { duration_from: number }, b: { duration_from: number }) =>
    a.duration_from - b.duration_from;
  expect(rows.toSorted(byDuration)).toEqual(
    [...counts]
      .map(([duration_from, run_count]) => ({
        tenant_id: 't',
        hour: HOUR,
        status: duration_from === NO_DURATION ? 'running' : 'success',
        duration_from,
        run_count,
      }))
      .toSorted(byDuration),
  );
  await storage.close();
  await database.remove();
});
