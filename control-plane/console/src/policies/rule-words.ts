import type { RuleKind } from './rule-schema.ts';

/** `max_per_minute` as a label: `Max per minute`. */
export const labelOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/^./u, (first) => first.toUpperCase())
    .replace(/\b(llm|mcp|pii|id|ip|ssn|iban|aws|api|jwt)\b/gi, (word) => word.toUpperCase());

const days = '0 is Monday, 6 is Sunday';

/** Hints for rules whose name and bounds are not self-explanatory. */
const hints: Record<string, string> = {
  day: days,
  allowed_days: `${days}; empty: every day`,
  timezone: 'IANA name, for example Europe/Berlin',
  blackout_dates: 'For example 2026-12-24',
  kill_on_error_rate: '0 to 1; 0.5 means half of the runs',
};

/** Hint for a rule, derived from its schema. */
export function hintOf(name: string, kind: RuleKind): string | undefined {
  const hint = hints[name];
  const bounds = boundsOf(kind);
  const perLine = kind.kind === 'list' ? 'One per line' : undefined;
  const parts = [perLine, hint ?? bounds].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('. ');
}

function boundsOf(kind: RuleKind): string | undefined {
  if (kind.kind !== 'number') return undefined;
  const { min, max } = kind;
  if (min === undefined || max === undefined || max > 1_000_000) return undefined;
  return `${min} to ${max.toLocaleString('en-US')}`;
}
