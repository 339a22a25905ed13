import { t } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleSchema } from './rule-schema.ts';

/** Validation errors from the service, by path: `rules.max_per_minute`. */
export interface FieldErrors {
  byPath: Readonly<Record<string, string>>;
  /** Errors without a field in this form. */
  other: string;
}

export const noErrors: FieldErrors = { byPath: {}, other: '' };

const fieldError = /^([^\s:;]+): (.+)$/s;
const separator = /; (?=[^\s:;]+: |and \d+ more$)/;

/**
 * Parses a line such as `rules.max_per_minute: expected a number; name: …`. In simulations, the
 * paths have the prefix `policy.`.
 */
export function readFieldErrors(line: string, isField: (path: string) => boolean): FieldErrors {
  const byPath: Record<string, string> = {};
  const other: string[] = [];
  for (const part of line.split(separator)) {
    const [, prefixed = '', message = ''] = fieldError.exec(part) ?? [];
    const path = prefixed.replace(/^policy\./, '');
    if (isField(path)) byPath[path] = describeFieldError(message);
    else other.push(part);
  }
  return { byPath, other: other.join('; ') };
}

const friendlier: readonly (readonly [pattern: RegExp, text: (value: string) => string])[] = [
  [/^Too small: expected (?:number|int) to be >=(\S+)$/i, (least) => t`Enter ${least} or more.`],
  [/^Too small: expected (?:number|int) to be >(\S+)$/i, (least) => t`Enter more than ${least}.`],
  [/^Too big: expected (?:number|int) to be <=(\S+)$/i, (most) => t`Enter ${most} or less.`],
  [/^Too small: expected string to have >=1 characters$/i, () => t`Enter a text.`],
  [
    /^Too big: expected string to have <=(\S+) characters$/i,
    (most) => t`Enter at most ${most} characters.`,
  ],
  [/^Too big: expected array to have <=(\S+) items$/i, (most) => t`Enter at most ${most}.`],
  [/^Invalid input: expected int\b.*$/i, () => t`Enter a whole number.`],
  [/^Invalid input: expected number, received undefined$/i, () => t`Enter a number.`],
  [/^Invalid input: expected number\b.*$/i, () => t`Enter a number.`],
  [
    /^Invalid input: expected (?:string|nonoptional), received undefined$/i,
    () => t`Enter a value.`,
  ],
  [/^Invalid input: expected .*$/i, () => t`This value is not possible here.`],
  [/^Invalid option: expected one of (.+)$/i, (options) => t`Choose one of ${options}.`],
  [/^Invalid ISO date$/i, () => t`Enter a date such as 2026-12-24.`],
  [/^expected an hour different from `start`$/, () => t`The end must differ from the start.`],
];

/**
 * Rewrites error messages of the schema library for users. Sentences of the service stay unchanged.
 */
export function describeFieldError(message: string): string {
  for (const [pattern, text] of friendlier)
    if (pattern.test(message)) return text(pattern.exec(message)?.[1] ?? '');
  return message;
}

/** The error at a path, including those inside a list that is edited as one text. */
export function errorWithin({ byPath }: FieldErrors, path: string): string | undefined {
  const messages = Object.entries(byPath).flatMap(([at, message]) => {
    if (at === path) return [message];
    const [, line] = at.startsWith(path) ? (/^\[(\d+)\]/.exec(at.slice(path.length)) ?? []) : [];
    if (line === undefined) return [];
    const number = Number(line) + 1;
    return [t`line ${number}: ${message}`];
  });
  return messages.length === 0 ? undefined : messages.join('; ');
}

export interface RuleFieldProps {
  name: string;
  /** Path in the policy, such as `rules.max_per_minute`. */
  path: string;
  schema: RuleSchema;
  draft: RuleDraft;
  errors: FieldErrors;
  onChange: (draft: RuleDraft) => void;
}

/** The component for a rule, passed to the components for groups, because rules can be nested. */
export interface NestedRuleField {
  Field: ComponentType<RuleFieldProps>;
}
