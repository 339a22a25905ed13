import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundRobin } from './process-changes.ts';

const change = (group_id: string, device_id: string) => ({ group_id, device_id, token: 't' });

test('a single change of one device does not wait for thousands of another', () => {
  const noisy = Array.from({ length: 9000 }, (_, i) =>
    change(`g${String(i).padStart(4, '0')}`, 'noisy'),
  );
  const order = roundRobin([...noisy, change('z', 'quiet')]).map(([first]) => first?.device_id);
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(1);
});

test('no change is lost, and those of a group stay together', () => {
  const one = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('x', 'y', 'z'));
  const keyOf = ([group, device]: readonly [string, string]) => `${group} ${device}`;
  fc.assert(
    fc.property(fc.uniqueArray(one, { selector: keyOf }), (pairs) => {
      const groups = roundRobin(pairs.map(([group, device]) => change(group, device)));
      expect(
        groups
          .flat()
          .map((of) => keyOf([of.group_id, of.device_id]))
          .toSorted(),
      ).toEqual(pairs.map(keyOf).toSorted());
      const ids = groups.map((of) => new Set(of.map(({ group_id }) => group_id)));
      expect(ids.every((of) => of.size === 1)).toBe(true);
      expect(new Set(ids.map((of) => [...of][0])).size).toBe(groups.length);
    }),
  );
});
