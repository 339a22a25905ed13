import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeptAddresses } from './kept-addresses.ts';

const minute = 60_000;

function keep(...hosts: string[]) {
  const kept = createKeptAddresses();
  kept.setHosts(hosts);
  return kept;
}

describe('the addresses of enabled hosts', () => {
  it('are kept ten minutes after they were last seen, or as long as their ttl', () => {
    const kept = keep('a.example');
    kept.see('a.example', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], 1000, 0);
    kept.see('a.example', ['192.0.2.2'], 1000, minute);
    kept.see('a.example', ['192.0.2.3'], 30 * minute, 0);
    const at = (now: number) => {
      kept.forgetOld(now);
      return [...kept.current().keys()].sort();
    };
    expect(at(10 * minute - 1)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    expect(at(10 * minute)).toEqual(['192.0.2.2', '192.0.2.3']);
    expect(at(11 * minute)).toEqual(['192.0.2.3']);
    expect(at(30 * minute)).toEqual([]);
  });

  it('a shorter answer does not shorten the time', () => {
    const kept = keep('a.example');
    kept.see('a.example', ['192.0.2.1'], 60 * minute, 0);
    kept.see('a.example', ['192.0.2.1'], 0, minute);
    kept.forgetOld(59 * minute);
    expect(kept.current().size).toBe(1);
  });

  it('may be shared: an address goes when its last host is disabled', () => {
    const kept = keep('a.example', 'b.example');
    kept.see('a.example', ['192.0.2.1', '192.0.2.2'], 0, 0);
    kept.see('B.example.', ['192.0.2.1'], 0, 0);
    expect(kept.current().get('192.0.2.1')).toEqual(['a.example', 'b.example']);
    kept.setHosts(['b.example']);
    expect([...kept.current()]).toEqual([['192.0.2.1', ['b.example']]]);
    kept.setHosts([]);
    expect(kept.current().size).toBe(0);
  });

  it.each([
    ['a.example', 'a.example', true],
    ['a.example', 'x.a.example', false],
    ['a.example', 'other.example', false],
    ['*.a.example', 'x.a.example', true],
    ['*.a.example', 'a.example', false],
    ['*.a.example', 'x.y.a.example', false],
    ['*.example', 'example', false],
  ])('with %s enabled, %s: %s', (enabled, host, isTaken) => {
    const kept = keep(enabled);
    kept.see(host, ['192.0.2.1'], 0, 0);
    expect(kept.current().size).toBe(isTaken ? 1 : 0);
  });

  it('are never those of this machine, where blocked names are sent', () => {
    const kept = keep('a.example');
    kept.see('a.example', ['0.0.0.0', '127.0.0.1', '::1', '::', '169.254.1.1', 'fe80::1'], 0, 0);
    expect(kept.current().size).toBe(0);
  });

  it.each([
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('are written in one form: %s', (given, written) => {
    const kept = keep('a.example');
    kept.see('a.example', [given, '1; flush ruleset', 'x'], 0, 0);
    expect([...kept.current().keys()]).toEqual([written]);
  });

  it('are of a bounded number, the latest', () => {
    const kept = keep('a.example');
    const address = (i: number) => `10.0.${i >> 8}.${i & 255}`;
    for (let i = 0; i < 2000; i++) kept.see('a.example', [address(i)], 0, i);
    const addresses = kept.current();
    expect(addresses.size).toBe(512);
    expect(addresses.has(address(1999))).toBe(true);
    expect(addresses.has(address(0))).toBe(false);
  });

  it('are exactly those of the enabled hosts, whatever is enabled and seen in what order', () => {
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
        for (const step of taken) {
          if ('hosts' in step) {
            enabled = step.hosts;
            kept.setHosts(enabled);
            seen = seen.filter((each) => enabled.includes(each.host));
          } else {
            kept.see(step.host, [step.address], 0, 0);
            if (enabled.includes(step.host)) seen.push(step);
          }
        }
        const expected = new Set(seen.map((each) => each.address));
        expect(new Set(kept.current().keys())).toEqual(expected);
      }),
    );
  });
});
