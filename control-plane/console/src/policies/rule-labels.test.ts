import { expect, test } from 'vitest';
import { z } from 'zod';
import { categories } from '#control-plane/policies/categories/index.ts';
import { ruleLabels } from './rule-labels.ts';

/** The property names in a JSON schema, and its options except for levels such as `DEBUG`. */
function wordsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, enum: options } = schema as { properties?: object; enum?: unknown[] };
  const own = [...Object.keys(properties ?? {}), ...(options ?? [])];
  return [
    ...own.filter((word) => typeof word === 'string' && /[a-z]/.test(word)).map(String),
    ...Object.values(schema).flatMap(wordsIn),
  ];
}

test('every rule of a category and every option has a label', () => {
  const words = categories.flatMap(({ rules }) =>
    wordsIn(z.toJSONSchema(rules, { io: 'input', unrepresentable: 'any' })),
  );
  expect(words.length).toBeGreaterThan(100);
  expect([...new Set(words)].filter((word) => !(word in ruleLabels)).sort()).toEqual([]);
});
