import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeIssues } from '#contract/errors.ts';
import { categories } from './categories/index.ts';
import { mergePatch, rulesSchema, sortMembers, policyFileSchema } from './document-rules.ts';

describe.each(categories.map((category) => [category.name, category] as const))(
  'the rules of %s',
  (_name, category) => {
    test('round-trip through JSON', () => {
      const { success, data } = category.rules.safeParse({});
      if (!success) return;
      const stored = JSON.parse(JSON.stringify(data)) as unknown;
      expect(JSON.parse(JSON.stringify(category.rules.parse(stored)))).toEqual(stored);
    });

    test('have a JSON Schema, and unknown rules are rejected by name', () => {
      expect(Object.keys(rulesSchema(category).properties ?? {})).not.toEqual([]);
      const policy = { name: 'x', category: category.name, rules: { colour: 'red' } };
      const { error } = policyFileSchema.safeParse(policy);
      expect(error && describeIssues(error, 'policy')).toMatch(
        new RegExp(`rules\\.colour: unknown rule; ${category.name} has \\w+`),
      );
    });
  },
);

// These are the examples of RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched with %j is %j', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

test('a patch with existing values changes nothing, and patching is idempotent', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const clean = (value: unknown): unknown => mergePatch({}, value);
  fc.assert(
    fc.property(object, object, (a, b) => {
      const [target, patch] = [clean(a), b];
      expect(mergePatch(target, target)).toEqual(target);
      expect(mergePatch(mergePatch(target, patch), patch)).toEqual(mergePatch(target, patch));
    }),
  );
});

test('member order does not matter', () => {
  expect(JSON.stringify(sortMembers({ b: [{ d: 1, c: 2 }], a: null }))).toBe(
    '{"a":null,"b":[{"c":2,"d":1}]}',
  );
});
