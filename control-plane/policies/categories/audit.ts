import { z } from 'zod';
import { category, type Situation } from '../category.ts';
import { loggable } from '../content/loggable.ts';
import { DAY_MS } from '#lib/time-units.ts';

const levels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

const rules = z.strictObject({
  log_inputs: z.boolean().default(true),
  log_outputs: z.boolean().default(true),
  log_steps: z.boolean().default(true),
  log_tool_calls: z.boolean().default(true),
  /** Substrings of member names, matched case-insensitively. */
  redact_fields: z.array(z.string().min(1).max(200)).max(200).default([]),
  retention_days: z.int().min(1).max(3650).default(90),
  min_log_level: z.enum(levels).default('INFO'),
  /** The maximum number of values; 0 for no limit. */
  max_log_entries: z.int().min(0).max(1_000_000).default(500),
  capture_stdout: z.boolean().default(false),
});
type Rules = z.output<typeof rules>;

/** Records the inputs and outputs of runs, regardless of other policies' decisions. */
export const audit = category({
  name: 'audit',
  summary: 'Records inputs, outputs and activity of runs, without redacted fields',
  rules,
  phases: ['before_workflow', 'after_workflow', 'on_failure'],
  atRunStart: true,
  countsWork: true,
  evaluate({ rules, situation }) {
    const level = situation.phase === 'on_failure' ? 'ERROR' : 'INFO';
    if (levels.indexOf(level) < levels.indexOf(rules.min_log_level))
      return { action: 'allow', reason: `Not logged: ${level} is below ${rules.min_log_level}` };
    const retainUntil = new Date(situation.now + rules.retention_days * DAY_MS).toISOString();
    return {
      action: 'allow',
      reason: 'Logged',
      metadata: { level, retain_until: retainUntil, ...logged(rules, situation) },
    };
  },
});

function logged(rules: Rules, situation: Situation): Record<string, unknown> {
  const { phase, run, intent, result, error } = situation;
  const toLog = (value: unknown): unknown =>
    loggable(value, { redact: rules.redact_fields, entries: rules.max_log_entries });
  if (phase === 'before_workflow')
    return rules.log_inputs && intent.inputs !== null ? { inputs: toLog(intent.inputs) } : {};
  return {
    ...(rules.log_outputs && { outputs: toLog(result) }),
    ...(error !== null && { error: toLog(error) }),
    ...(rules.log_steps && run && { steps: run.stepCount }),
    ...(rules.log_tool_calls && run && { tool_calls: run.toolCallCount }),
  };
}
