import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeAddresses } from './redirect-rules.ts';

const ports = { 4: { clients: 1, probes: 2 }, 6: { clients: 3, probes: 4 } };
const rules = { table: 't', ports, groupId: 5, probeGroupId: 6, holdSeconds: 7 };
const pool = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1', '2001:db8::2'];
const addresses = fc.subarray(pool).map((list) => new Set(list));

/**
 * Applies a command like the kernel: an element can only be deleted if it is in the set of its
 * kind.
 */
function apply(line: string, before: ReadonlySet<string>): Set<string> {
  const now = new Set(before);
  for (const [, verb, set, list] of line.matchAll(
    /(add|delete) element inet t (v[46]) \{ (.*?) \}/g,
  ))
    for (const address of list?.split(', ') ?? []) {
      if (address.includes(':') !== (set === 'v6')) throw new Error(`${address} in ${set}`);
      if (verb === 'add') now.add(address);
      else if (!now.delete(address)) throw new Error(`${address} is not there`);
    }

  return now;
}

test('any addresses can be changed to any others, and equal sets need no command', () => {
  fc.assert(
    fc.property(addresses, addresses, (before, after) => {
      const [line] = changeAddresses(rules, before, after);
      expect(apply(line ?? '', before)).toEqual(after);
      expect(line === undefined).toBe(before.symmetricDifference(after).size === 0);
    }),
  );
});
