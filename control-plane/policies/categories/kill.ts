import { z } from 'zod';
import { MINUTE_MS } from '#lib/time-units.ts';
import { category } from '../category.ts';
import { countOne, type Bucket, totalOf } from '../lib/sliding-window.ts';

const rules = z.strictObject({
  enabled: z.boolean().default(true),
  kill_on_error_rate: z.number().min(0).lt(1).default(0.5),
  error_window_minutes: z.int().min(1).max(1440).default(5),
  min_samples: z.int().min(1).max(1_000_000).default(10),
  auto_recover_after_minutes: z.int().min(1).max(10_080).default(30),
});
type Rules = z.output<typeof rules>;

interface State {
  /** Recent outcomes of runs, counted since the circuit last closed. */
  ends: Bucket<'success' | 'error'>[];
  /** The counts that opened the circuit, and the run whose end opened it. */
  opened: { at: number; run: number | null; errors: number; samples: number } | null;
}

const CLOSED: State = { ends: [], opened: null };

/** A circuit breaker that blocks an agent while too many of its runs fail. */
export const kill = category<Rules, State>({
  name: 'kill',
  summary: 'Blocks an agent for a while when too many of its runs fail',
  rules,
  phases: ['before_workflow', 'after_workflow', 'on_failure'],
  appliesToHeldCalls: true,
  compileForToolCalls: ({ id, name }) => ({ decides: 'control-plane', id, name, tools: null }),
  stateOf: ({ agent }) => agent,
  evaluate({ rules, situation: { phase, now, run }, state }) {
    if (!rules.enabled) return null;
    const opened = openAt(now, rules, state);
    if (phase !== 'before_workflow') {
      if (!opened || opened.run !== run?.id) return null;
      const reason = `Circuit opened: ${rateOf(opened, rules)}`;
      return { action: 'warn', reason, metadata: circuit(opened, rules) };
    }
    if (!opened)
      return { action: 'allow', reason: 'Circuit closed', metadata: { state: 'closed' } };
    return {
      action: 'block',
      reason: `Circuit open: ${rateOf(opened, rules)}`,
      metadata: circuit(opened, rules),
    };
  },
  ended({ rules, situation: { phase, now, run }, state = CLOSED }) {
    // The outcome of a run that was already active when the circuit opened does not show the
    // agent's state afterwards.
    if (!rules.enabled || openAt(now, rules, state)) return undefined;
    const kind = phase === 'on_failure' ? 'error' : 'success';
    const windowMs = rules.error_window_minutes * MINUTE_MS;
    const ends = countOne(state.ends, { now, windowMs, kind });
    const errors = totalOf(ends, 'error');
    const samples = errors + totalOf(ends, 'success');
    return samples >= rules.min_samples && errors / samples > rules.kill_on_error_rate
      ? { ends: [], opened: { at: now, run: run?.id ?? null, errors, samples } }
      : { ends, opened: null };
  },
});

type Opened = NonNullable<State['opened']>;

const closesAt = ({ at }: Opened, { auto_recover_after_minutes }: Rules): number =>
  at + auto_recover_after_minutes * MINUTE_MS;

/** Returns the data of the open circuit; null if it has closed by itself. */
const openAt = (now: number, rules: Rules, state: State | undefined): Opened | null =>
  state?.opened && now < closesAt(state.opened, rules) ? state.opened : null;

const percent = (part: number): string => `${Math.round(part * 1000) / 10}%`;

const rateOf = ({ errors, samples }: Opened, { kill_on_error_rate }: Rules): string =>
  `error rate ${percent(errors / samples)} (${errors}/${samples}) exceeded ${percent(kill_on_error_rate)}`;

const circuit = (opened: Opened, rules: Rules) => ({
  state: 'open',
  errors: opened.errors,
  samples: opened.samples,
  error_rate: opened.errors / opened.samples,
  opened_at: new Date(opened.at).toISOString(),
  closes_at: new Date(closesAt(opened, rules)).toISOString(),
});
