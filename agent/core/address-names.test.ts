import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressNames } from './address-names.ts';

describe('address names', () => {
  test('names an address until the name expires', () => {
    const names = createAddressNames();
    names.add('10.0.0.1', 'api.openai.com', 1000, 0);
    expect([0, 999, 1000].map((now) => names.nameOf('10.0.0.1', now))).toEqual([
      'api.openai.com',
      'api.openai.com',
      undefined,
    ]);
  });

  test('has no name for an address that two names share, until one of them expires', () => {
    const names = createAddressNames();
    names.add('10.0.0.1', 'api.openai.com', 1000, 0);
    names.add('10.0.0.1', 'chatgpt.com', 5000, 0);
    expect(names.nameOf('10.0.0.1', 500)).toBeUndefined();
    expect(names.nameOf('10.0.0.1', 2000)).toBe('chatgpt.com');
  });

  test('keeps the longer expiry if a name is added again with a shorter one', () => {
    const names = createAddressNames();
    names.add('10.0.0.1', 'api.openai.com', 5000, 0);
    names.add('10.0.0.1', 'api.openai.com', 10, 0);
    expect(names.nameOf('10.0.0.1', 4000)).toBe('api.openai.com');
  });

  test('stays within its limit and keeps the newest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 1 }), (addresses) => {
        const names = createAddressNames(5);
        for (const address of addresses) names.add(String(address), 'host', 1000, 0);
        expect(names.size()).toBeLessThanOrEqual(5);
        expect(names.nameOf(String(addresses.at(-1)), 1)).toBe('host');
      }),
    );
  });
});
