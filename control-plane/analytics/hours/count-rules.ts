import type { Tables } from '../../storage/tables.ts';

type CallHour = Tables['call_hours'];
export type HourGrouping = CallHour['grouped_by'];

/** The calls of a run with the same model, provider and duration. */
export interface HourCalls {
  agent: string;
  model: string;
  provider: string | null;
  workflow: string | null;
  user: string | null;
  team: string | null;
  api_key: string | null;
  tag: string | null;
  /** In milliseconds, with two digits; null if no duration was recorded. */
  duration: number | null;
  call_count: number;
  total_tokens: number;
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  total_cost: number;
}

export const hourGroupings = [
  'agent',
  'workflow',
  'user',
  'team',
  'api_key',
  'tag',
  'model',
  'provider',
] as const satisfies readonly HourGrouping[];

const sums = [
  'call_count',
  'total_tokens',
  'tokens_in',
  'tokens_out',
  'cache_read_tokens',
  'total_cost',
] as const;

/** The groupings that are also counted for each agent. */
const ofAgents: ReadonlySet<HourGrouping> = new Set(['user', 'team', 'api_key', 'tag', 'model']);

/** Whether the grouping is also counted for each agent. */
export const isCountedByAgent = (grouping: HourGrouping): boolean => ofAgents.has(grouping);

/** Returns the rows of `call_hours` for all calls of an hour. */
export function rowsOfHour(
  tenant_id: string,
  hour: number,
  calls: readonly HourCalls[],
): CallHour[] {
  const agents = [...Map.groupBy(calls, ({ agent }) => agent)];
  const rowsOf = (grouped_by: HourGrouping, agent_name: string, own: readonly HourCalls[]) =>
    [...Map.groupBy(own, (one) => one[grouped_by])].map(([name, of], place) => {
      const key = { tenant_id, grouped_by, agent_name, hour, place, name };
      return { ...key, ...totalOf(of), durations: durationsOf(of) };
    });
  return hourGroupings.flatMap((grouped_by) => [
    ...rowsOf(grouped_by, '', calls),
    ...(ofAgents.has(grouped_by)
      ? agents.flatMap(([agent, own]) => rowsOf(grouped_by, agent, own))
      : []),
  ]);
}

function totalOf(calls: readonly HourCalls[]) {
  const total = { ...NOTHING };
  for (const call of calls) for (const field of sums) total[field] += call[field];
  return total;
}

const NOTHING = {
  call_count: 0,
  total_tokens: 0,
  tokens_in: 0,
  tokens_out: 0,
  cache_read_tokens: 0,
  total_cost: 0,
};

function durationsOf(calls: readonly HourCalls[]): string {
  const counts = new Map<number, number>();
  for (const { duration, call_count } of calls)
    if (duration !== null) counts.set(duration, (counts.get(duration) ?? 0) + call_count);
  return [...counts].map(([ms, count]) => `${ms}:${count}`).join(' ');
}

const ZERO = '0'.charCodeAt(0);
/** Also the character code that follows those of the digits. */
const COLON = ':'.charCodeAt(0);

/**
 * Adds the number of calls to `counts`, by milliseconds, which reverses `durationsOf`. It reads
 * digit by digit, because the hours of two months contain half a million of these pairs.
 */
export function addCounts(durations: string, counts: Map<number, number>): void {
  if (durations === '') return;
  let [ms, value] = [0, 0];
  for (let at = 0; at <= durations.length; at += 1) {
    // After the last pair this is NaN, which is not a digit either.
    const code = durations.charCodeAt(at);
    if (code >= ZERO && code < COLON) {
      value = value * 10 + code - ZERO;
      continue;
    }
    if (code === COLON) ms = value;
    else counts.set(ms, (counts.get(ms) ?? 0) + value);
    value = 0;
  }
}
