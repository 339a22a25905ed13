import { z } from 'zod';
import { category, type Evaluation, agentWorkflowKey } from '../category.ts';
import { packTimes, unpackTimes } from '../lib/delta-encoding.ts';

const limit = (most: number) =>
  z
    .int()
    .min(1)
    .max(most)
    .nullish()
    .transform((value) => value ?? undefined);

const MAX_COUNT = 1_000_000_000;
// Each admitted run is stored with its time, so this bounds the size of the state.
const MAX_STORED = 10_000;

const input = z.strictObject({
  max_per_minute: limit(MAX_COUNT),
  max_per_hour: limit(MAX_COUNT),
  max_per_day: limit(MAX_COUNT),
  max_concurrent: limit(MAX_STORED),
  burst_limit: limit(MAX_STORED),
  burst_window_seconds: z.int().min(1).max(86_400).default(10),
});

type Input = z.output<typeof input>;
type Rules = Input & { max_concurrent: number };

/**
 * Fills in defaults. Without any limit, all defaults apply; with at least one, no default windows
 * are added.
 */
function withDefaults({ burst_window_seconds, ...limits }: Input): Rules {
  const isAnySet = Object.values(limits).some((value) => value !== undefined);
  const windows = isAnySet ? {} : { max_per_minute: 10, max_per_hour: 100 };
  return {
    ...limits,
    ...windows,
    max_concurrent: limits.max_concurrent ?? 5,
    burst_window_seconds,
  };
}

const windows = [
  { name: 'Per-minute', rule: 'max_per_minute', seconds: 60 },
  { name: 'Per-hour', rule: 'max_per_hour', seconds: 3600 },
  { name: 'Per-day', rule: 'max_per_day', seconds: 86_400 },
] as const;
type WindowRule = (typeof windows)[number]['rule'];

type Counts = Record<WindowRule, { bucket: number; count: number }>;

interface State {
  /** The times at which the slots in use were acquired, delta-encoded. */
  taken: number[];
  /** The times at which the runs of the latest burst window were admitted, delta-encoded. */
  admitted: number[];
  /** The number of admitted runs per window, for the current `bucket`. */
  counts: Partial<Counts>;
}

const NOTHING: State = { taken: [], admitted: [], counts: {} };
const SLOT_MS = 300_000;

/** Limits how often an agent's workflow starts: per time window, in bursts, and concurrently. */
export const rateLimit = category<Rules, State>({
  name: 'rate-limit',
  summary: 'Limits how often an agent and its workflow start',
  rules: input.transform(withDefaults),
  phases: ['before_workflow'],
  stateOf: agentWorkflowKey,
  evaluate({ rules, situation: { now }, state = NOTHING }) {
    const slots = inUse(state, now);
    const recent = unpackTimes(state.admitted).filter(
      (at) => now - at < rules.burst_window_seconds * 1000,
    );
    const counts = currentCounts(state, now);
    const refusal =
      concurrencyRefusal(rules, slots) ??
      burstRefusal(rules, recent) ??
      windowRefusal(rules, counts);
    if (refusal) return refusal;
    for (const { rule } of windows) counts[rule].count += 1;
    // Without a burst limit, no timestamps are stored.
    const admitted = rules.burst_limit === undefined ? [] : [...recent, now];
    return {
      action: 'allow',
      reason: 'Within rate limits',
      state: { taken: packTimes([...slots, now]), admitted: packTimes(admitted), counts },
    };
  },
  ended: ({ state = NOTHING, situation: { now } }) => ({
    ...state,
    taken: packTimes(inUse(state, now).slice(1)),
  }),
});

/** Returns the slots in use. Slots that were never released expire after five minutes. */
const inUse = ({ taken }: State, now: number): number[] =>
  unpackTimes(taken).filter((at) => now - at < SLOT_MS);

/** Returns the counts of the current windows. A new window starts at 0. */
function currentCounts({ counts }: State, now: number): Counts {
  const current = {} as Counts;
  for (const { rule, seconds } of windows) {
    const bucket = Math.floor(now / 1000 / seconds);
    const stored = counts[rule];
    current[rule] = { bucket, count: stored?.bucket === bucket ? stored.count : 0 };
  }
  return current;
}

function concurrencyRefusal(
  { max_concurrent: limit }: Rules,
  { length: current }: number[],
): Evaluation<State> | undefined {
  if (current < limit) return undefined;
  const reason = `Concurrent limit reached (${current}/${limit})`;
  return { action: 'throttle', reason, metadata: { current, limit } };
}

function burstRefusal(
  { burst_limit: limit, burst_window_seconds: window }: Rules,
  { length: current }: number[],
): Evaluation<State> | undefined {
  if (limit === undefined || current < limit) return undefined;
  const reason = `Burst limit reached (${current}/${limit} in ${window}s)`;
  return { action: 'throttle', reason, metadata: { current, limit, window } };
}

function windowRefusal(rules: Rules, counts: Counts): Evaluation<State> | undefined {
  for (const { name, rule } of windows) {
    const limit = rules[rule];
    const current = counts[rule].count;
    if (limit === undefined || current < limit) continue;
    const reason = `${name} limit reached (${current}/${limit})`;
    return { action: 'block', reason, metadata: { current, limit } };
  }
  return undefined;
}
