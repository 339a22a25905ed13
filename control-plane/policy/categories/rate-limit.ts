import { z } from 'zod';
import { category, type Evaluation, pairOf } from '../category.ts';
import { packTimes, unpackTimes } from '../lib/delta-encoding.ts';

const limit = (most: number) =>
  z
    .int()
    .min(1)
    .max(most)
    .nullish()
    .transform((value) => value ?? undefined);

const MOST = 1_000_000_000;
// Every one of these is remembered by its time.
const MOST_REMEMBERED = 10_000;

const given = z.strictObject({
  max_per_minute: limit(MOST),
  max_per_hour: limit(MOST),
  max_per_day: limit(MOST),
  max_concurrent: limit(MOST_REMEMBERED),
  burst_limit: limit(MOST_REMEMBERED),
  burst_window_seconds: z.int().min(1).max(86_400).default(10),
});

type Given = z.output<typeof given>;
type Rules = Given & { max_concurrent: number };

/** Whoever sets no limit at all gets all defaults; whoever sets one gets no windows unasked. */
function withDefaults({ burst_window_seconds, ...limits }: Given): Rules {
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

interface State {
  /** When each slot in use was taken; packed. */
  taken: number[];
  /** When the latest were admitted, as far back as the burst window; packed. */
  admitted: number[];
  /** What was admitted in the window that now is `bucket`. */
  counts: Partial<Record<WindowRule, { bucket: number; count: number }>>;
}

const NOTHING: State = { taken: [], admitted: [], counts: {} };
const SLOT_MS = 300_000;

/** Bounds how often an agent's workflow starts: by time, in bursts, and at once. */
export const rateLimit = category<Rules, State>({
  name: 'rate-limit',
  summary: 'Bounds how often an agent and its workflow start',
  rules: given.transform(withDefaults),
  phases: ['before_workflow'],
  stateOf: pairOf,
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
    for (const { rule } of windows) (counts[rule] as { count: number }).count += 1;
    // Without a burst limit there is nothing to remember.
    const remembered = rules.burst_limit === undefined ? [] : [...recent, now];
    return {
      action: 'allow',
      reason: 'Within rate limits',
      state: { taken: packTimes([...slots, now]), admitted: packTimes(remembered), counts },
    };
  },
  ended: ({ state = NOTHING, situation: { now } }) => ({
    ...state,
    taken: packTimes(inUse(state, now).slice(1)),
  }),
});

/** A slot that nobody gave back is free after a while. */
const inUse = ({ taken }: State, now: number): number[] =>
  unpackTimes(taken).filter((at) => now - at < SLOT_MS);

/** A window of another bucket has begun anew. */
function currentCounts(state: State, now: number): State['counts'] {
  return Object.fromEntries(
    windows.map(({ rule, seconds }) => {
      const bucket = Math.floor(now / 1000 / seconds);
      const known = state.counts[rule];
      return [rule, { bucket, count: known?.bucket === bucket ? known.count : 0 }];
    }),
  );
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

function windowRefusal(rules: Rules, counts: State['counts']): Evaluation<State> | undefined {
  for (const { name, rule } of windows) {
    const limit = rules[rule];
    const current = counts[rule]?.count ?? 0;
    if (limit === undefined || current < limit) continue;
    const reason = `${name} limit reached (${current}/${limit})`;
    return { action: 'block', reason, metadata: { current, limit } };
  }
  return undefined;
}
