import type { PolicyDocument } from '#contract/policy.ts';
import { type Difference, differences, describeDifference } from './difference.ts';
import type { WrittenPolicy } from './parse-file.ts';
import { positionOf } from './read-folder.ts';

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
  /** Stored, but in no file. */
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

/** Would applying the plan change nothing? */
export const isEmpty = ({ create, change, extra }: Plan, prune: boolean): boolean =>
  create.length === 0 && change.length === 0 && !(prune && extra.length > 0);

/** The plan as text for people, one line per item. */
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
