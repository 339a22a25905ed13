import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesInOrder } from './block-view.ts';

const block = (rule: string, name: string, more: object = {}) => ({
  rule_id: rule,
  app_group_id: `apg_${name}`,
  processes: JSON.stringify([name]),
  condition: JSON.stringify({ type: 'not_allowed', kinds: [], allowed: [] }),
  rule_created_at: 1,
  app_first_seen: 1,
  ...more,
});
const listed = { condition: JSON.stringify({ type: 'listed', kinds: [], apps: ['x'] }) };
const flood = Array.from({ length: 600 }, (_, i) => block('flood', `a${i}`));

test.each([
  ['of a rule that names apps', block('other', 'z', listed), 0],
  ['of another rule that finds anything', block('other', 'z', { rule_created_at: 2 }), 1],
  ['of an older rule', block('other', 'z', { rule_created_at: 0 }), 0],
  ['of an app that was there before the flood', block('flood', 'z', { app_first_seen: 0 }), 0],
  ['of an app that came after the flood', block('flood', 'z', { app_first_seen: 2 }), 600],
])('a flood of names does not displace the one %s', (_, one, place) => {
  expect(namesInOrder([...flood, one]).indexOf('z')).toBe(place);
});

test('the order does not depend on how the blocks are listed', () => {
  const some = [...flood.slice(0, 5), block('b', 'a1', listed), block('c', 'y')];
  fc.assert(
    fc.property(fc.shuffledSubarray(some, { minLength: some.length }), (shuffled) => {
      expect(namesInOrder(shuffled)).toEqual(namesInOrder(some));
    }),
  );
});
