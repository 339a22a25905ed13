import { HOUR_MS } from '#lib/time-units.ts';
import type { Tables } from '../storage/tables.ts';
import { NO_DURATION, bucketOf } from './duration-buckets.ts';
import type { Tally } from './tally.ts';

/** The fields of a run that its totals depend on. */
export interface RunRef {
  tenant_id: string;
  id: number;
  agent_name: string;
  workflow_name: string;
  session_id: string | null;
  user_id: string | null;
  end_user_id: string | null;
  status: Tables['runs']['status'];
  started_at: number;
}

/** A change of a run's totals. Counts are negative if something is removed. */
interface GroupChange {
  runs: number;
  at: number;
  duration: number;
  cost: number;
  tokens: number;
}

const NOTHING: GroupChange = { runs: 0, at: 0, duration: 0, cost: 0, tokens: 0 };

/** Counts a started run, or with −1 a deleted one. */
export function countRun(tally: Tally, run: RunRef, runs: 1 | -1 = 1): void {
  const { tenant_id, agent_name, session_id, user_id, status } = run;
  tally.add('run_totals', { tenant_id, agent_name, status, run_count: runs });
  countGroups(tally, run, { ...NOTHING, runs, at: run.started_at });
  if (session_id !== null)
    tally.add('session_agents', { tenant_id, session_id, agent_name, run_count: runs });
  if (user_id !== null)
    tally.add('user_agents', { tenant_id, user_id, agent_name, run_count: runs });
}

/** The fields of a run that its hourly totals depend on. */
export type RunSpan = Pick<Tables['runs'], 'tenant_id' | 'status' | 'started_at'> & {
  completed_at?: number | null | undefined;
};

/**
 * Counts a run in the hour of its start. With −1, reverts the counts that it had before a change.
 */
export function countRunHour(tally: Tally, run: RunSpan, runs: 1 | -1): void {
  const { tenant_id, status, started_at, completed_at } = run;
  const hour = Math.floor(started_at / HOUR_MS);
  const duration_from =
    typeof completed_at === 'number' ? bucketOf(completed_at - started_at) : NO_DURATION;
  tally.add('run_hours', { tenant_id, hour, status, duration_from, run_count: runs });
}

/** Counts the end of an active run. */
export function countEnd(tally: Tally, run: RunRef, status: RunRef['status'], at: number): void {
  const { tenant_id, agent_name } = run;
  tally.add('run_totals', { tenant_id, agent_name, status: run.status, run_count: -1 });
  tally.add('run_totals', { tenant_id, agent_name, status, run_count: 1 });
  countRunHour(tally, run, -1);
  countRunHour(tally, { ...run, status, completed_at: at }, 1);
  countGroups(tally, run, { ...NOTHING, at, duration: at - run.started_at });
}

/** Adds a run's duration to its groups. A negative one is subtracted. */
export function countDuration(tally: Tally, run: RunRef, duration: number): void {
  countGroups(tally, run, { ...NOTHING, at: run.started_at, duration });
}

/** Counts activity in a run. */
export function countActivity(tally: Tally, run: RunRef, at: number): void {
  countGroups(tally, run, { ...NOTHING, at });
}

export interface CountedCall {
  model: string;
  total_tokens: number;
  cost: number;
  cost_source: Tables['llm_calls']['cost_source'];
  created_at: number;
}

/** Counts the calls of one run. With `sign` −1, subtracts them. */
export function countCalls(
  tally: Tally,
  run: RunRef,
  calls: readonly CountedCall[],
  sign: 1 | -1 = 1,
): void {
  if (calls.length === 0) return;
  const all = { ...NOTHING };
  for (const { usage, at } of usageOf(calls, sign)) {
    countModel(tally, run, usage);
    all.at = Math.max(all.at, at);
    all.cost += usage.total_cost;
    all.tokens += usage.total_tokens;
  }
  countGroups(tally, run, all);
}

/** Sums calls by model and hour. Most calls of a batch share both, so they are tallied once. */
function usageOf(calls: readonly CountedCall[], sign: 1 | -1): readonly CallsOfHour[] {
  const all: CallsOfHour[] = [];
  // Building a key of both for each call would take longer than all sums.
  const hoursOf = new Map<string, Map<number, CallsOfHour>>();
  for (const { model, total_tokens, cost, cost_source, created_at } of calls) {
    const hour = Math.floor(created_at / HOUR_MS);
    let hours = hoursOf.get(model);
    if (!hours) hoursOf.set(model, (hours = new Map()));
    let entry = hours.get(hour);
    if (!entry) {
      const none = { call_count: 0, total_tokens: 0, total_cost: 0, unpriced_count: 0 };
      hours.set(hour, (entry = { usage: { model, hour, ...none }, at: created_at }));
      all.push(entry);
    }
    const { usage } = entry;
    usage.call_count += sign;
    usage.total_tokens += sign * total_tokens;
    usage.total_cost += sign * cost;
    if (cost_source === 'unpriced') usage.unpriced_count += sign;
    entry.at = Math.max(entry.at, created_at);
  }
  return all;
}

interface CallsOfHour {
  usage: ModelUsage;
  /** The time of the last call. */
  at: number;
}

/** The usage of one model in one hour. */
export interface ModelUsage {
  model: string;
  hour: number;
  call_count: number;
  total_tokens: number;
  total_cost: number;
  unpriced_count: number;
}

export function countUsage(tally: Tally, run: RunRef, usage: ModelUsage, at: number): void {
  countModel(tally, run, usage);
  const { total_cost: cost, total_tokens: tokens } = usage;
  countGroups(tally, run, { ...NOTHING, at, cost, tokens });
}

function countModel(tally: Tally, run: RunRef, usage: ModelUsage): void {
  const { tenant_id, agent_name, user_id } = run;
  const { model, hour, call_count, total_tokens, total_cost, unpriced_count } = usage;
  const end_user_id = run.end_user_id ?? user_id;
  // The spread comes first, because V8 then clones objects of one shape as a whole.
  const sums = { call_count, total_tokens, total_cost };
  tally.add('model_totals', { ...sums, tenant_id, agent_name, model, unpriced_count });
  const ofHour = { ...sums, tenant_id, hour, model, revision: 0 };
  tally.add('model_hours', { ...ofHour, agent_name });
  tally.add('model_hours', { ...ofHour, agent_name: '' });
  if (user_id !== null) tally.add('user_models', { ...sums, tenant_id, user_id, model });
  if (end_user_id !== null)
    tally.add('end_user_days', { ...sums, tenant_id, end_user_id, day: Math.floor(hour / 24) });
}

function countGroups(tally: Tally, run: RunRef, change: GroupChange): void {
  const { tenant_id, session_id, user_id } = run;
  const { runs: run_count, at, duration: total_duration } = change;
  const sums = { run_count, total_duration, total_cost: change.cost, total_tokens: change.tokens };
  if (session_id !== null)
    tally.add('run_sessions', {
      ...sums,
      tenant_id,
      session_id,
      first_run: run.started_at,
      last_activity: at,
    });
  if (user_id !== null)
    tally.add('tracked_users', {
      ...sums,
      tenant_id,
      user_id,
      first_seen: run.started_at,
      last_seen: at,
    });
}

export type CountedScore = Pick<
  Tables['scores'],
  'name' | 'data_type' | 'source' | 'numeric_value' | 'string_value' | 'created_at'
>;

/**
 * Counts the scores of one run. With `sign` −1, subtracts them, which leaves minimum and maximum
 * unchanged.
 */
export function countScores(
  tally: Tally,
  run: RunRef,
  scores: readonly CountedScore[],
  sign: 1 | -1 = 1,
): void {
  const { tenant_id } = run;
  for (const score of scores) {
    const { name, data_type, source, numeric_value: number } = score;
    const counts = {
      score_count: sign,
      numeric_count: number === null ? 0 : sign,
      numeric_sum: number === null ? 0 : sign * number,
    };
    tally.add('score_totals', { tenant_id, name, data_type, source, ...counts });
    const hour = Math.floor(score.created_at / HOUR_MS);
    for (const agent_name of [run.agent_name, '']) {
      const key = { tenant_id, agent_name, hour, name, data_type };
      const extreme = sign > 0 ? number : null;
      tally.add('score_hours', { ...key, ...counts, numeric_min: extreme, numeric_max: extreme });
      if (score.string_value !== null)
        tally.add('score_value_hours', {
          ...key,
          value: score.string_value,
          score_count: sign,
        });
    }
  }
}
