import type { Category } from '../category.ts';
import { operations } from './operations.ts';
import { rateLimit } from './rate-limit.ts';

/** Every category there is: a new one is its file and its line here. */
const all: readonly Category[] = [operations, rateLimit];

const byName = new Map(
  all.flatMap((category) =>
    [category.name, ...(category.aliases ?? [])].map((name) => [name, category] as const),
  ),
);

/** By its name or another name that clients use for it. */
export const categoryOf = (name: string): Category | undefined => byName.get(name);

export const categoryNames: readonly string[] = all.map(({ name }) => name);
export const categories = all;
