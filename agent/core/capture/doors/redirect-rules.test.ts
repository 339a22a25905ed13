import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeAddresses } from './redirect-rules.ts';

const rules = { table: 't', port4: 1, port6: 2, groupId: 3, holdSeconds: 4 };
const pool = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1', '2001:db8::2'];
const addresses = fc.subarray(pool).map((list) => new Set(list));

/** As the kernel does it: nothing may be deleted that is not there. */
function apply(line: string, before: ReadonlySet<string>): Set<string> {
  const now = new Set(before);
  for (const command of line.split('; ')) {
    const parts = /^(add|delete) element inet t (v4|v6) \{ (.*) \}$/.exec(command);
    for (const address of parts?.[3]?.split(', ') ?? []) {
      expect(address.includes(':')).toBe(parts?.[2] === 'v6');
      if (parts?.[1] === 'add') now.add(address);
      else expect(now.delete(address)).toBe(true);
    }
  }
  return now;
}

it('any addresses become any others, and nothing is said where nothing changes', () => {
  fc.assert(
    fc.property(addresses, addresses, (before, after) => {
      const line = changeAddresses(rules, before, after);
      if (line === undefined) expect(before).toEqual(after);
      else expect(apply(line, before)).toEqual(after);
    }),
  );
});
