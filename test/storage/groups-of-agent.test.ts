/** Checks that paging sessions of one agent works with both query strategies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listGroups } from '#control-plane/analytics/group-queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { countRun, type RunRef } from '#control-plane/usage/count.ts';
import { storeTally } from '#control-plane/usage/queries.ts';
import { newTally } from '#control-plane/usage/tally.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const TENANT_ID = 'tnt_1';
const SESSIONS = 600;

/** The agents with a run in a session. */
const agentsOf = (i: number): string[] => [
  'everywhere',
  ...(i % 3 === 0 ? ['evenly'] : []),
  ...(i < 200 ? ['first'] : []),
  ...(i >= 400 ? ['last'] : []),
  ...(i >= 115 && i < 315 ? ['middle'] : []),
  ...(i % 250 === 7 ? ['rare'] : []),
];

const runOf = (i: number, agent_name: string, id: number): RunRef => ({
  tenant_id: TENANT_ID,
  id,
  agent_name,
  workflow_name: 'default',
  session_id: `s-${i}`,
  user_id: `u-${i}`,
  end_user_id: null,
  status: 'running',
  started_at: 1000 + i,
});

const runs = Array.from({ length: SESSIONS }, (_, i) => i).flatMap((i) =>
  // Sessions have one to three rounds, so that many have the same number of runs.
  Array.from({ length: 1 + (i % 3) }, () => agentsOf(i).map((agent) => ({ i, agent }))).flat(),
);

describe.each(databases)('groups of one agent on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => expect.fail(line) });
    await storage.transaction(async (tx) => {
      const tally = newTally();
      runs.forEach(({ i, agent }, id) => countRun(tally, runOf(i, agent, id)));
      await storeTally(tx, tally);
    });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const counts = Map.groupBy(runs, ({ i }) => i);
  const order = {
    first_at: (i: number) => i,
    last_at: (i: number) => i,
    run_count: (i: number) => counts.get(i)?.length ?? 0,
  };

  /** Computes the expected list by checking every session. */
  function expected(agent: string, by: keyof typeof order, direction: 'asc' | 'desc'): string[] {
    const sign = direction === 'asc' ? 1 : -1;
    const name = (i: number): string => `s-${i}`;
    return Array.from({ length: SESSIONS }, (_, i) => [i, order[by](i)] as const)
      .filter(([i]) => agentsOf(i).includes(agent))
      .sort(([a, x], [b, y]) => sign * (x - y || (name(a) < name(b) ? -1 : 1)))
      .map(([i]) => name(i));
  }

  test.each(['everywhere', 'evenly', 'first', 'last', 'middle', 'rare', 'unknown'])(
    '%s',
    async (agent) => {
      for (const by of ['first_at', 'last_at', 'run_count'] as const)
        for (const direction of ['asc', 'desc'] as const) {
          const all = expected(agent, by, direction);
          for (const [limit, offset] of [
            [10, 0],
            [10, 20],
            [50, 150],
            [10, Math.max(0, all.length - 5)],
            [500, 0],
          ] as const) {
            const page = { agent, sort: { by, direction }, limit, offset };
            const { rows, count } = await listGroups(storage.db, 'sessions', TENANT_ID, page);
            expect({ ...page, ids: rows.map(({ id }) => id), count }).toEqual({
              ...page,
              ids: all.slice(offset, offset + limit),
              count: all.length,
            });
            const users = await listGroups(storage.db, 'users', TENANT_ID, page);
            expect(users.count).toBe(all.length);
            // Users have the same numbers as their sessions.
            expect(users.rows.map(({ id }) => id.replace('u-', 's-'))).toEqual(
              rows.map(({ id }) => id),
            );
          }
        }
    },
  );
});
