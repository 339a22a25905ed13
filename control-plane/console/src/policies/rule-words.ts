import { t } from '@lingui/core/macro';
import { ruleLabels } from './rule-labels.ts';
import type { RuleKind } from './rule-schema.ts';
import { numberLocale } from '../language/locales.ts';

/** Label of a rule. A rule unknown to this console is split into words: `Max per minute`. */
export const labelOf = (name: string): string => ruleLabels[name] ?? wordsOf(name);

const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/^./u, (first) => first.toUpperCase())
    .replace(/\b(llm|mcp|pii|id|ip|ssn|iban|aws|api|jwt)\b/gi, (word) => word.toUpperCase());

const modelVariants = t`A name also matches variants: gpt-4o matches gpt-4o-mini`;

/** Hints for rules whose name and bounds are not self-explanatory. */
const hints: Record<string, string> = {
  allowed_models: modelVariants,
  blocked_models: modelVariants,
  timezone: t`For example Europe/Berlin`,
  kill_on_error_rate: t`0 to 1; 0.5 means half of the runs`,
};

/** Hint for a rule, partly derived from its schema. */
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
