import { expect, test } from 'vitest';
import { categories } from '#control-plane/policies/categories/index.ts';
import { categoryName } from './category-names.ts';

test('every category has a unique name', () => {
  const ids = categories.map(({ name }) => name);
  const names = ids.map(categoryName);
  expect(names.filter((name, at) => name === ids[at])).toEqual([]);
  expect(new Set(names).size).toBe(ids.length);
});
