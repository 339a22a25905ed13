import type { PolicyDocument } from '#contract/policy-document.ts';
import type { WrittenPolicy } from './parse-file.ts';
import { positionOf } from './read-folder.ts';
import { sortMembers } from '../document-rules.ts';

/** A field whose values differ. A value is undefined where the field is not set. */
export interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/** Returns the differing fields of two policies. Rules and scopes are compared one by one. */
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

const textOf = (value: unknown): string => JSON.stringify(sortMembers(value)) ?? '';

const MAX_VALUE_LENGTH = 100;

/** Describes a difference, for example `rules.max_per_minute: 30 -> 20`. */
export const describeDifference = ({ field, before, after }: Difference): string =>
  `${field}: ${valueText(before)} -> ${valueText(after)}`;

function valueText(value: unknown): string {
  const text = textOf(value) || 'unset';
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

/** A policy stored in the control plane. */
export interface StoredPolicy {
  id: string;
  version: number;
  document: PolicyDocument;
}

/** The differences between the files and the control plane. Policies are matched by name. */
export interface Plan {
  create: WrittenPolicy[];
  change: { written: WrittenPolicy; stored: StoredPolicy; differences: Difference[] }[];
  same: WrittenPolicy[];
  /** Stored policies that are in no file. */
  extra: StoredPolicy[];
}

/** @throws Error with a one-line message if a policy's category differs */
export function compare(
  files: ReadonlyMap<string, WrittenPolicy>,
  stored: readonly StoredPolicy[],
): Plan {
  const byName = new Map(stored.map((policy) => [policy.document.name, policy]));
  const plan: Plan = { create: [], change: [], same: [], extra: [] };
  for (const written of files.values()) {
    const existing = byName.get(written.document.name);
    if (!existing) {
      plan.create.push(written);
      continue;
    }
    const changes = differences(existing.document, written.document);
    if (changes.some(({ field }) => field === 'category')) throw otherCategory(written, existing);
    if (changes.length === 0) plan.same.push(written);
    else plan.change.push({ written, stored: existing, differences: changes });
  }
  plan.extra = stored.filter(({ document }) => !files.has(document.name));
  return plan;
}

function otherCategory(written: WrittenPolicy, { document }: StoredPolicy): Error {
  return new Error(
    `${positionOf(written)}: category: ${JSON.stringify(document.name)} exists with the category ` +
      `${document.category}, which cannot be changed: use another name`,
  );
}

/** Whether applying the plan would change nothing. */
export const isEmpty = ({ create, change, extra }: Plan, prune: boolean): boolean =>
  create.length === 0 && change.length === 0 && !(prune && extra.length > 0);

/** Returns the plan as text for people, one line per item. */
export function describePlan({ create, change, same, extra }: Plan, prune: boolean): string[] {
  const [sign, fate] = prune ? ['-', 'delete'] : ['?', 'in no file'];
  const counts = [
    `${create.length} to create`,
    `${change.length} to change`,
    prune ? `${extra.length} to delete` : `${extra.length} in no file`,
    `${same.length} unchanged`,
  ];
  return [
    ...create.map((written) => `+ create ${titleOf(written.document)} from ${positionOf(written)}`),
    ...change.flatMap(({ written, differences: changes }) => [
      `~ change ${titleOf(written.document)} as in ${positionOf(written)}`,
      ...changes.map((difference) => `    ${describeDifference(difference)}`),
    ]),
    ...extra.map(({ document }) => `${sign} ${fate} ${titleOf(document)}`),
    counts.join(', '),
  ];
}

export const titleOf = ({ name, category }: PolicyDocument): string =>
  `${JSON.stringify(name)} (${category})`;
