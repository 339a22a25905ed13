import { expect, test } from 'vitest';
import { entryOf, pageGroups } from './sidebar-pages.tsx';

const pages = pageGroups.flatMap((group) => group.pages);

test('every page has a unique letter and address', () => {
  for (const key of ['letter', 'to', 'name'] as const) {
    const values = pages.map((page) => page[key]);
    expect(values.toSorted()).toEqual([...new Set(values)].toSorted());
  }
});

test.each([
  ['/', 'Home'],
  ['/runs/17', 'Runs'],
  ['/settings/api-keys', 'API keys'],
  ['/settings/members', 'Settings'],
  ['/experiments/exp_1', 'Datasets'],
  ['/runsheet', undefined],
])('%s is shown under %s', (path, name) => {
  expect(entryOf(pages, path)?.name).toBe(name);
});
