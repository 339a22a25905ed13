import type { PolicyDocument } from '#contract/policy.ts';
import { type Difference, differences, describeDifference } from './difference.ts';
import type { WrittenPolicy } from './parse-file.ts';
import { placeOf } from './read-folder.ts';

/** A policy as the control plane has it. */
export interface StoredPolicy {
  id: string;
  version: number;
  document: PolicyDocument;
}

/** What stands between the files and the control plane. Policies are the same by their name. */
export interface Plan {
  create: WrittenPolicy[];
  change: { written: WrittenPolicy; stored: StoredPolicy; differences: Difference[] }[];
  same: WrittenPolicy[];
  /** In no file. */
  extra: StoredPolicy[];
}

/** @throws Error of one line when a policy would have to become one of another category */
export function compare(
  files: ReadonlyMap<string, WrittenPolicy>,
  stored: readonly StoredPolicy[],
): Plan {
  const byName = new Map(stored.map((policy) => [policy.document.name, policy]));
  const plan: Plan = { create: [], change: [], same: [], extra: [] };
  for (const written of files.values()) {
    const known = byName.get(written.document.name);
    if (!known) {
      plan.create.push(written);
      continue;
    }
    const found = differences(known.document, written.document);
    if (found.some(({ field }) => field === 'category')) throw otherCategory(written, known);
    if (found.length === 0) plan.same.push(written);
    else plan.change.push({ written, stored: known, differences: found });
  }
  plan.extra = stored.filter(({ document }) => !files.has(document.name));
  return plan;
}

function otherCategory(written: WrittenPolicy, { document }: StoredPolicy): Error {
  return new Error(
    `${placeOf(written)}: category: ${JSON.stringify(document.name)} is a policy of the category ` +
      `${document.category}, and stays one: give this one another name`,
  );
}

/** Is there anything that applying would do? */
export const isEmpty = ({ create, change, extra }: Plan, prune: boolean): boolean =>
  create.length === 0 && change.length === 0 && !(prune && extra.length > 0);

/** The plan for people to read, a line each. */
export function describePlan({ create, change, same, extra }: Plan, prune: boolean): string[] {
  const [sign, fate] = prune ? ['-', 'delete'] : ['?', 'in no file'];
  const counts = [
    `${create.length} to create`,
    `${change.length} to change`,
    prune ? `${extra.length} to delete` : `${extra.length} in no file`,
    `${same.length} unchanged`,
  ];
  return [
    ...create.map((written) => `+ create ${titleOf(written.document)} from ${placeOf(written)}`),
    ...change.flatMap(({ written, differences: found }) => [
      `~ change ${titleOf(written.document)} as in ${placeOf(written)}`,
      ...found.map((difference) => `    ${describeDifference(difference)}`),
    ]),
    ...extra.map(({ document }) => `${sign} ${fate} ${titleOf(document)}`),
    counts.join(', '),
  ];
}

export const titleOf = ({ name, category }: PolicyDocument): string =>
  `${JSON.stringify(name)} (${category})`;
