import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressCache, enabledHosts, isEnabledHost } from './address-cache.ts';
import { readFileSync } from 'node:fs';

const MINUTE = 60_000;

function keep(...hosts: string[]) {
  const kept = createAddressCache();
  kept.setHosts(hosts);
  return kept;
}

describe('the addresses of enabled hosts', () => {
  test('are kept for ten minutes after they were last seen, or for their TTL if it is longer', () => {
    const kept = keep('a.example');
    kept.add('a.example', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], 1000, 0);
    kept.add('a.example', ['192.0.2.2'], 1000, MINUTE);
    kept.add('a.example', ['192.0.2.3'], 30 * MINUTE, 0);
    const at = (now: number) => {
      kept.removeExpired(now);
      return [...kept.current().keys()].sort();
    };
    expect(at(10 * MINUTE - 1)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    expect(at(10 * MINUTE)).toEqual(['192.0.2.2', '192.0.2.3']);
    expect(at(11 * MINUTE)).toEqual(['192.0.2.3']);
    expect(at(30 * MINUTE)).toEqual([]);
  });

  test('are not dropped earlier because of an answer with a shorter TTL', () => {
    const kept = keep('a.example');
    kept.add('a.example', ['192.0.2.1'], 60 * MINUTE, 0);
    kept.add('a.example', ['192.0.2.1'], 0, MINUTE);
    kept.removeExpired(59 * MINUTE);
    expect(kept.current().size).toBe(1);
  });

  test('are dropped only when their last host is disabled', () => {
    const kept = keep('a.example', 'b.example');
    kept.add('a.example', ['192.0.2.1', '192.0.2.2'], 0, 0);
    kept.add('B.example.', ['192.0.2.1'], 0, 0);
    expect(kept.current().get('192.0.2.1')).toEqual(['a.example', 'b.example']);
    kept.setHosts(['b.example']);
    expect([...kept.current()]).toEqual([['192.0.2.1', ['b.example']]]);
    kept.setHosts([]);
    expect(kept.current().size).toBe(0);
  });

  test.each([
    ['a.example', 'a.example', true],
    ['a.example', 'x.a.example', false],
    ['a.example', 'other.example', false],
    ['*.a.example', 'x.a.example', true],
    ['*.a.example', 'a.example', false],
    ['*.a.example', 'x.y.a.example', false],
    ['*.example', 'example', false],
  ])('with %s enabled, %s is enabled: %s', (enabled, host, isTaken) => {
    const kept = keep(enabled);
    kept.add(host, ['192.0.2.1'], 0, 0);
    expect(kept.current().size).toBe(isTaken ? 1 : 0);
  });

  test('never include addresses of this machine, to which blocked names resolve', () => {
    const kept = keep('a.example');
    kept.add('a.example', ['0.0.0.0', '127.0.0.1', '::1', '::', '169.254.1.1', 'fe80::1'], 0, 0);
    expect(kept.current().size).toBe(0);
  });

  test.each([
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('are stored in canonical form: %s', (given, written) => {
    const kept = keep('a.example');
    kept.add('a.example', [given, '1; flush ruleset', 'x'], 0, 0);
    expect([...kept.current().keys()]).toEqual([written]);
  });

  test('are limited in number; the latest are kept', () => {
    const kept = keep('a.example');
    const address = (i: number) => `10.0.${i >> 8}.${i & 255}`;
    for (let i = 0; i < 2000; i++) kept.add('a.example', [address(i)], 0, i);
    const addresses = kept.current();
    expect(addresses.size).toBe(512);
    expect(addresses.has(address(1999))).toBe(true);
    expect(addresses.has(address(0))).toBe(false);
  });

  test('are exactly those of the enabled hosts, for any order of changes and answers', () => {
    const host = fc.constantFrom('a.example', 'b.example', 'c.example');
    const address = fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1');
    const steps = fc.array(
      fc.oneof(fc.record({ host, address }), fc.record({ hosts: fc.uniqueArray(host) })),
    );
    fc.assert(
      fc.property(steps, (taken) => {
        const kept = keep();
        let enabled: string[] = [];
        let seen: { host: string; address: string }[] = [];
        for (const step of taken)
          if ('hosts' in step) {
            enabled = step.hosts;
            kept.setHosts(enabled);
            seen = seen.filter((each) => enabled.includes(each.host));
          } else {
            kept.add(step.host, [step.address], 0, 0);
            if (enabled.includes(step.host)) seen.push(step);
          }

        const expected = new Set(seen.map((each) => each.address));
        expect(new Set(kept.current().keys())).toEqual(expected);
      }),
    );
  });
});

/** Vectors that are shared with the tests of the extensions. */
const file = new URL('enabled-hosts-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  enabled: string[];
  name: string;
  expected: boolean;
}[];

test.each(vectors)(
  'with $enabled enabled, "$name" is enabled: $expected',
  ({ enabled, name, expected }) =>
    expect(isEnabledHost(enabledHosts(enabled), name)).toBe(expected),
);
