import { t } from '@lingui/core/macro';
import type { RuleKind } from './rule-schema.ts';
import { numberLocale } from '../language/locales.ts';

/** Rules whose names make poor labels or lack the unit. */
const labels: Record<string, string> = {
  daily_token_limit: t`Max tokens per day`,
  daily_cost_limit: t`Max cost per day, $`,
  weekly_token_limit: t`Max tokens per week`,
  weekly_cost_limit: t`Max cost per week, $`,
  monthly_token_limit: t`Max tokens per month`,
  monthly_cost_limit: t`Max cost per month, $`,
  per_workflow_token_limit: t`Max tokens per run`,
  per_workflow_cost_limit: t`Max cost per run, $`,
  warning_threshold_percent: t`Warn at, %`,
  action_on_exceed: t`Action when exceeded`,
  kill_on_error_rate: t`Max error rate`,
  error_window_minutes: t`Window, min`,
  min_samples: t`Min runs in the window`,
  auto_recover_after_minutes: t`Recover after, min`,
  timeout_seconds: t`Timeout, s`,
  window_seconds: t`Window, s`,
  max_tokens_per_call: t`Max tokens per call`,
  max_input_length: t`Max input, characters`,
  max_output_length: t`Max output, characters`,
  retention_days: t`Retention, days`,
  timeout_minutes: t`Decide within, min`,
  cost_threshold: t`Approval above, $`,
  burst_limit: t`Max runs in a burst`,
  enabled: t`Active`,
  allowed_hours: t`Allowed hours`,
  timezone: t`Time zone`,
  start: t`From`,
  end: t`To`,
  day: t`Weekday`,
  burst_window_seconds: t`Burst window, s`,
};

/** `max_per_minute` as a label: `Max per minute`. */
export const labelOf = (name: string): string => labels[name] ?? wordsOf(name);

const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/^./u, (first) => first.toUpperCase())
    .replace(/\b(llm|mcp|pii|id|ip|ssn|iban|aws|api|jwt)\b/gi, (word) => word.toUpperCase());

/** Hints for rules whose name and bounds are not self-explanatory. */
const hints: Record<string, string> = {
  timezone: t`For example Europe/Berlin`,
  kill_on_error_rate: t`0 to 1; 0.5 means half of the runs`,
};

/** Hint for a rule, derived from its schema. */
export function hintOf(name: string, kind: RuleKind): string | undefined {
  const hint = hints[name];
  const bounds = boundsOf(kind);
  const perLine = kind.kind === 'list' ? t`One per line` : undefined;
  const parts = [perLine, hint ?? bounds].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('. ');
}

function boundsOf(kind: RuleKind): string | undefined {
  if (kind.kind !== 'number') return undefined;
  const { min, max } = kind;
  if (min === undefined || max === undefined || max > 1_000_000) return undefined;
  return t`${min} to ${max.toLocaleString(numberLocale)}`;
}
