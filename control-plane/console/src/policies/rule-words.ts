import type { RuleKind } from './rule-schema.ts';

/** `max_per_minute` as a label: `Max per minute`. */
export const labelOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/^./u, (first) => first.toUpperCase())
    .replace(/\b(llm|mcp|pii|id|ip|ssn|iban|aws|api|jwt)\b/gi, (word) => word.toUpperCase());

const days = '0 is Monday, 6 is Sunday';

/** What the name and the bounds of a rule do not say. */
const hints: Record<string, string> = {
  day: days,
  allowed_days: `${days}; empty: every day`,
  timezone: 'A name such as Europe/Berlin',
  blackout_dates: 'Such as 2026-12-24',
  kill_on_error_rate: 'From 0 to 1: 0.5 is every other run',
};

/** What may be entered, as far as the schema tells. */
export function hintOf(name: string, kind: RuleKind): string | undefined {
  const known = hints[name];
  const bounds = boundsOf(kind);
  const perLine = kind.kind === 'list' ? 'One a line' : undefined;
  const parts = [perLine, known ?? bounds].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('. ');
}

function boundsOf(kind: RuleKind): string | undefined {
  if (kind.kind !== 'number') return undefined;
  const { min, max } = kind;
  if (min === undefined || max === undefined || max > 1_000_000) return undefined;
  return `${min} to ${max.toLocaleString('en-US')}`;
}
