import fc from 'fast-check';
import { expect, test } from 'vitest';
import { append, factName, isExpired, itemsOf, previewOf } from './rules.ts';

test('a list keeps the newest items, for any appends and limits', () => {
  const write = fc.record({
    added: fc.integer({ min: 0, max: 12 }),
    maxItems: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 20 }), (writes) => {
      let list = { item_count: 0, appended: 0 };
      let stored: number[] = [];
      let model: number[] = [];
      let next = 0;
      for (const { added, maxItems } of writes) {
        const items = Array.from({ length: added }, () => next++);
        model = [...model, ...items].slice(-maxItems);
        const change = append(list, added, maxItems);
        // Positions count from 1, so item `n` has the position `n + 1`.
        stored = [...stored, ...items.slice(added - change.stored)].filter(
          (item) => item + 1 >= change.oldest,
        );
        list = change;
        expect(stored).toEqual(model);
        expect(list.item_count).toBe(model.length);
      }
    }),
  );
});

test('a slot is expired from its expiry time on', () => {
  expect([null, 999, 1000, 1001].map((expires_at) => isExpired({ expires_at }, 1000))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('an array appends its items, and any other value appends itself', () => {
  expect([[1, [2]], 'a', null, {}].map(itemsOf)).toEqual([[1, [2]], ['a'], [null], [{}]]);
});

test('a preview never splits a surrogate pair', () => {
  expect(previewOf(`${'x'.repeat(199)}😀`).isWellFormed()).toBe(true);
  expect(previewOf('short')).toBe('short');
});

test('facts without a key have no shared identity, and identities are unambiguous', () => {
  const fact = (scope_key: string, slot_name: string, fact_key: string | null) =>
    factName({
      scope_key,
      slot_name,
      fact_key,
      content: 'x',
      content_embedding: [],
      importance: 0.7,
    });
  expect([fact('a', 'b', null), fact('a', 'b', '')]).toEqual([null, null]);
  expect(fact('a","b', 'c', 'k')).not.toBe(fact('a', 'b","c', 'k'));
});
