/** Checks that paging sessions in a time range works, both from its runs and from the sessions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listGroups } from '#control-plane/analytics/group-queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { writeTotalsOfRecords } from '../support/totals-of-records.ts';

const TENANT_ID = 'tnt_1';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SESSIONS = 300;
const DAYS = 60;

/** Short runs and a few long ones. Some sessions last two hours, others the whole time. */
const runs = Array.from({ length: SESSIONS * 4 }, (_, i) => {
  const session = i % SESSIONS;
  const chance = (i * 7919) % 1009;
  const started_at =
    session % 4 === 0
      ? Math.floor((chance / 1009) * DAYS * DAY)
      : Math.floor((session / SESSIONS) * DAYS * DAY + (chance / 1009) * 2 * HOUR);
  const duration = chance % 20 === 0 ? chance * 10 * MINUTE : (chance % 90) * MINUTE;
  const isRunning = chance % 50 === 1;
  return {
    tenant_id: TENANT_ID,
    id: i + 1,
    workflow_id: 1,
    agent_name: `agent-${chance % 7}`,
    workflow_name: 'w',
    tags: '[]',
    status: isRunning ? ('running' as const) : ('success' as const),
    session_id: session < 290 ? `s-${session}` : null,
    user_id: `u-${session}`,
    started_at,
    completed_at: isRunning ? null : started_at + duration,
    llm_call_count: 0,
    tokens: 0,
    cost: 0,
  };
});

const times: { start?: number; end?: number }[] = [
  ...[0.5, 10, 30, 59].flatMap((day) =>
    [MINUTE, HOUR, DAY, 20 * DAY].map((length) => ({ start: day * DAY, end: day * DAY + length })),
  ),
  { start: 20 * DAY },
  { start: 60 * DAY },
  { end: 20 * DAY },
  { start: 5, end: 5 },
  // Ranges that end or start exactly at a run.
  ...runs.slice(0, 12).map(({ completed_at }) => ({ start: completed_at ?? 0, end: 60 * DAY })),
  ...runs.slice(12, 24).map(({ started_at }) => ({ start: 0, end: started_at })),
  ...runs.slice(24, 36).map(({ completed_at }) => ({
    start: (completed_at ?? 0) + 1,
    end: (completed_at ?? 0) + 2,
  })),
];

describe.each(databases)('groups in a time range on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => expect.fail(line) });
    for (let at = 0; at < runs.length; at += 200)
      await storage.db
        .insertInto('runs')
        .values(runs.slice(at, at + 200))
        .execute();
    await writeTotalsOfRecords(storage.db);
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  /** Computes the result by checking every run. */
  function expected(
    by: 'session_id' | 'user_id',
    { start = -Infinity, end = Infinity, agent }: { start?: number; end?: number; agent?: string },
  ): string[] {
    const groups = Map.groupBy(
      runs.filter((run) => run[by] !== null),
      (run) => run[by] as string,
    );
    return [...groups]
      .filter(([, own]) => {
        const last = Math.max(...own.map((run) => run.completed_at ?? run.started_at));
        return own
          .filter((run) => !agent || run.agent_name === agent)
          .some((run) => run.started_at < end && (run.completed_at ?? last) >= start);
      })
      .map(([id]) => id)
      .sort();
  }

  test.each([undefined, 'agent-3', 'agent-0', 'unknown-agent'])(
    'groups are limited to the agent %s',
    async (agent) => {
      const page = { sort: { by: 'last_at', direction: 'desc' }, limit: 500, offset: 0 } as const;
      for (const time of times)
        for (const [list, by] of [
          ['sessions', 'session_id'],
          ['users', 'user_id'],
        ] as const) {
          const found = await listGroups(storage.db, list, TENANT_ID, { ...page, ...time, agent });
          const ids = expected(by, { ...time, ...(agent !== undefined && { agent }) });
          const listed = {
            ...time,
            count: found.count,
            ids: found.rows.map(({ id }) => id).sort(),
          };
          expect(listed).toEqual({ ...time, count: ids.length, ids });
        }
    },
  );

  test('another tenant has no groups', async () => {
    const page = { sort: { by: 'last_at', direction: 'desc' }, limit: 5, offset: 0 } as const;
    for (const time of times)
      expect(await listGroups(storage.db, 'sessions', 'other', { ...page, ...time })).toEqual({
        rows: [],
        count: 0,
      });
  });
});
