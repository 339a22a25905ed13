import fc from 'fast-check';
import type { TwoTenants } from './two-tenants.ts';

/** A run that a test sends. Times are milliseconds since 1970. */
export interface SentRun {
  id: number;
  agent: string;
  session: string | null;
  user: string | null;
  startedAt: number;
  completedAt: number | null;
  failed: boolean;
  calls: SentCall[];
}

export interface SentCall {
  model: string;
  tokens_in: number;
  tokens_out: number;
  cost: number;
  at: number;
}

type Plan = Omit<SentRun, 'id' | 'startedAt' | 'completedAt' | 'calls'> & {
  ago: number;
  duration: number | null;
  calls: (Omit<SentCall, 'at'> & { after: number })[];
};

/** Ids as clients choose them, with characters that are special in paths, queries and patterns. */
export const ids = ['s/1?x=%', 'S_1', 's%1', 'a\\b', 'Юля ü', 'plain', '..x', '#7&+'] as const;
export const agents = ['support', 'research', 'a/b ü'] as const;

const DAY_MS = 86_400_000;

/** Plans of runs. Costs are binary fractions, so that their sums are exact in any order. */
export const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc.record({
    agent: fc.constantFrom(...agents),
    session: fc.option(fc.constantFrom(...ids), { freq: 4 }),
    user: fc.option(fc.constantFrom(...ids), { freq: 4 }),
    // Includes times at the edges of the periods, and times in the future, as sent by a client with
    // a fast clock.
    ago: fc.oneof(
      fc.integer({ min: 1, max: 40 * DAY_MS }),
      fc.constantFrom(1, -DAY_MS / 12, DAY_MS, 7 * DAY_MS, 30 * DAY_MS),
    ),
    duration: fc.option(fc.integer({ min: 0, max: 100_000 }), { freq: 3 }),
    failed: fc.boolean(),
    calls: fc.array(
      fc.record({
        model: fc.constantFrom('gpt-4o', 'own/model', 'claude'),
        tokens_in: fc.nat(1_000_000),
        tokens_out: fc.nat(1_000_000),
        // Not 0: the cost of a call with tokens would then be computed from the price of the model.
        cost: fc.integer({ min: 1, max: 1000 }).map((n) => n / 64),
        after: fc.nat(5000),
      }),
      { maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Sends runs to the recording API, with the clock set to the time of each request. */
export async function sendRuns(
  service: TwoTenants,
  planned: readonly Plan[],
  now: number,
): Promise<SentRun[]> {
  const sent: SentRun[] = [];
  for (const { ago, duration, ...plan } of planned) {
    const startedAt = now - ago;
    const calls = plan.calls.map(({ after, ...call }) => ({ ...call, at: startedAt + after }));
    const completedAt = duration === null ? null : startedAt + duration;
    service.setTime(startedAt);
    const id = await start(service, plan);
    const params = { run_id: id };
    for (const { at, ...call } of calls) {
      service.setTime(at);
      await service.one.byKey.recording.recordLlmCalls({ params, body: { calls: [call] } });
    }
    if (completedAt !== null) {
      service.setTime(completedAt);
      await service.one.byKey.recording.completeRun({
        params,
        body: { status: plan.failed ? 'error' : 'success' },
      });
    }
    sent.push({ ...plan, id: Number(id), startedAt, completedAt, calls });
  }
  service.setTime(now);
  return sent;
}

async function start(service: TwoTenants, { agent, session, user }: Partial<Plan>) {
  const { run_id } = await service.one.byKey.recording.startRun({
    body: {
      agent_name: agent ?? '',
      ...(session !== null && { session_id: session }),
      ...(user !== null && { user_id: user }),
    },
  });
  return run_id;
}

/** Computes the expected values of lists and details from the runs that were sent. */
export function totalsOf(runs: readonly SentRun[]) {
  const calls = runs.flatMap((run) => run.calls);
  const times = runs.flatMap((run) => [
    run.startedAt,
    ...run.calls.map(({ at }) => at),
    ...(run.completedAt === null ? [] : [run.completedAt]),
  ]);
  const durations = runs.map((run) => (run.completedAt ?? run.startedAt) - run.startedAt);
  return {
    run_count: runs.length,
    error_count: runs.filter((run) => run.failed && run.completedAt !== null).length,
    first: new Date(Math.min(...runs.map((run) => run.startedAt))).toISOString(),
    last: new Date(Math.max(...times)).toISOString(),
    total_duration: sum(durations) / 1000,
    ...usageOf(calls),
    agents: [...new Set(runs.map((run) => run.agent))].sort(),
  };
}

export const usageOf = (calls: readonly SentCall[]) => ({
  total_cost: sum(calls.map(({ cost }) => cost)),
  total_tokens: sum(calls.map((call) => call.tokens_in + call.tokens_out)),
});

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Reads all items of a list by following the links to the next page. */
export async function listAllPages<T>(
  list: (paging: { limit: number; offset: number }) => Promise<{
    results: T[];
    count: number;
    next: string | null;
    previous: string | null;
  }>,
  limit: number,
): Promise<T[]> {
  const all: T[] = [];
  let offset = 0;
  for (;;) {
    const page = await list({ limit, offset });
    all.push(...page.results);
    if ((page.previous === null) !== (offset === 0)) throw new Error('previous is wrong');
    if (page.next === null) {
      if (all.length !== page.count) throw new Error(`${all.length} items, count ${page.count}`);
      return all;
    }
    offset = Number(new URL(page.next).searchParams.get('offset'));
  }
}
