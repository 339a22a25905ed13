import type { CodingWork } from '#contract/coding-agents.ts';

/** The key of a group: a name, a number of days since 1970, or null for runs without one. */
export type Key = string | number | null;

/** The sums of one source. In SQL, the sum of no rows is null. */
export type Part = { key: Key } & Partial<Record<Summed, number | null>>;

type Summed = keyof CodingWork | 'developers';

const summed: readonly Summed[] = [
  'sessions',
  'prompts',
  'tokens',
  'cost',
  'edits_accepted',
  'edits_rejected',
  'lines_added',
  'lines_removed',
  'developers',
];

export type Work = CodingWork & { developers: number };

const emptyWork = (): Work =>
  Object.fromEntries(summed.map((name) => [name, 0])) as Record<Summed, number>;

/** Returns one group for each key, from the parts of all sources. */
export function groupWork(parts: readonly Part[]): { key: Key; work: Work }[] {
  const groups = new Map<Key, Work>();
  for (const part of parts) {
    const { key } = part;
    const work = groups.get(key) ?? emptyWork();
    groups.set(key, work);
    for (const name of summed) work[name] += part[name] ?? 0;
  }
  return [...groups].map(([key, work]) => ({ key, work: { ...work, cost: roundedTo(work.cost) } }));
}

/** Rounds a cost, because sums of prices have errors in their last digits. */
const roundedTo = (cost: number): number => Math.round(cost * 1e8) / 1e8;

export const byCost = (a: { work: Work }, b: { work: Work }): number =>
  b.work.cost - a.work.cost || b.work.prompts - a.work.prompts;
