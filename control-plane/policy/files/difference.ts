import type { PolicyDocument } from '#contract/policy.ts';
import { sorted } from '../admin/policy-rules.ts';

/** A field whose value differs; undefined where it is not set. */
export interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/** The differing fields of two policies, with rules and scopes compared one by one. */
export function differences(before: PolicyDocument, after: PolicyDocument): Difference[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  const fields = new Set([...old.keys(), ...next.keys()]);
  return [...fields].flatMap((field) => {
    const [from, to] = [old.get(field), next.get(field)];
    return textOf(from) === textOf(to) ? [] : [{ field, before: from, after: to }];
  });
}

function fieldsOf(policy: PolicyDocument): Map<string, unknown> {
  const { rules, scope, name: _name, ...rest } = policy;
  return new Map([
    ...Object.entries(rest),
    ...Object.entries(scope).map(([list, value]) => [`scope.${list}`, value] as const),
    ...Object.entries(rules).map(([rule, value]) => [`rules.${rule}`, value] as const),
  ]);
}

const textOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? '';

const LONGEST = 100;

/** `rules.max_per_minute: 30 -> 20` */
export const describeDifference = ({ field, before, after }: Difference): string =>
  `${field}: ${valueText(before)} -> ${valueText(after)}`;

function valueText(value: unknown): string {
  const text = textOf(value) || 'unset';
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
