import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHostAddresses } from './host-addresses.ts';
import type { HostAddresses } from './host-addresses.ts';

const MINUTE = 60_000;
let addressesByHost: Record<string, string[] | Promise<string[]>>;
let lookups: string[];
let changes: number;
let addresses: HostAddresses;

beforeEach(() => {
  vi.useFakeTimers();
  [addressesByHost, lookups, changes] = [{}, [], 0];
  addresses = createHostAddresses({
    onChange: () => (changes += 1),
    lookup: async (host) => {
      lookups.push(host);
      return addressesByHost[host] ?? Promise.reject(new Error('ENOTFOUND'));
    },
  });
});

afterEach(() => {
  addresses.stop();
  vi.useRealTimers();
});

const known = () => [...addresses.current().keys()];

describe('the addresses of enabled hosts', () => {
  test('are known once the hosts are set, and are looked up again each minute', async () => {
    addressesByHost = { 'a.example': ['192.0.2.1'], 'b.example': ['2001:db8::1'] };
    await addresses.setHosts(['a.example', 'b.example']);
    expect(known()).toEqual(['192.0.2.1', '2001:db8::1']);
    addressesByHost['a.example'] = ['192.0.2.2'];
    changes = 0;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(known()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(changes).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(known()).toEqual(['192.0.2.2', '2001:db8::1']);
  });

  test('are kept, however many others DNS responses name', async () => {
    addressesByHost = { 'a.example': ['192.0.2.1'] };
    await addresses.setHosts(['a.example']);
    const others = Array.from({ length: 3000 }, (_, i) => `198.51.${i >> 8}.${i & 255}`);
    addresses.addResolved('a.example', others, 60);
    expect(known()).toContain('192.0.2.1');
    expect(known()).toContain(others.at(-1));
    expect(known().length).toBeLessThan(1000);
    addresses.addResolved('a.example', ['192.0.2.1'], 60);
    expect(addresses.current().get('192.0.2.1')).toEqual(['a.example']);
  });

  test('are applied once for all responses that arrive together', async () => {
    await addresses.setHosts(['a.example']);
    changes = 0;
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      addresses.addResolved('a.example', [address], 60);
    await Promise.resolve();
    expect([changes, known()]).toEqual([1, ['192.0.2.1', '192.0.2.2', '192.0.2.3']]);
    addresses.addResolved('a.example', ['192.0.2.4'], 60);
    await Promise.resolve();
    expect(changes).toBe(2);
  });

  test('are looked up for new hosts, but not for patterns', async () => {
    addressesByHost = { 'a.example': ['192.0.2.1'], 'b.example': ['192.0.2.2'] };
    await addresses.setHosts(['a.example', '*.c.example']);
    await addresses.setHosts(['b.example', 'a.example', '*.c.example']);
    expect(lookups).toEqual(['a.example', 'b.example']);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(lookups.slice(2)).toEqual(['b.example', 'a.example']);
  });

  test('are removed with their host at once, before others are looked up', async () => {
    addressesByHost = { 'a.example': ['192.0.2.1'], 'b.example': new Promise(() => undefined) };
    await addresses.setHosts(['a.example']);
    changes = 0;
    const setting = addresses.setHosts(['b.example']);
    expect(known()).toEqual([]);
    expect(changes).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    await setting;
  });

  test('may fail to be looked up, and are then found in the next round', async () => {
    await addresses.setHosts(['a.example']);
    expect(known()).toEqual([]);
    addressesByHost = { 'a.example': ['192.0.2.1'] };
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(known()).toEqual(['192.0.2.1']);
  });

  test('may be learned from DNS answers to other programs', async () => {
    addressesByHost = { 'a.example': [] };
    await addresses.setHosts(['a.example', '*.c.example']);
    changes = 0;
    addresses.addResolved('x.c.example', ['192.0.2.3'], 5);
    addresses.addResolved('other.example', ['192.0.2.4'], 5);
    expect([...addresses.current()]).toEqual([['192.0.2.3', ['x.c.example']]]);
    await Promise.resolve();
    expect(changes).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    addresses.addResolved('x.c.example', ['192.0.2.3'], 5);
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    expect(known()).toEqual(['192.0.2.3']);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(known()).toEqual([]);
  });

  test('are looked up two at a time, and one round at a time', async () => {
    const late = Promise.withResolvers<string[]>();
    addressesByHost = {
      'a.example': late.promise,
      'b.example': late.promise,
      'c.example': ['192.0.2.3'],
    };
    const setting = addresses.setHosts(Object.keys(addressesByHost));
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    await setting;
    expect(lookups).toEqual(['a.example', 'b.example']);
    late.resolve(['192.0.2.1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(lookups).toEqual(['a.example', 'b.example', 'c.example']);
    expect(known()).toEqual(['192.0.2.1', '192.0.2.3']);
  });

  test('are no longer looked up without hosts', async () => {
    addressesByHost = { 'a.example': ['192.0.2.1'] };
    await addresses.setHosts(['a.example']);
    await addresses.setHosts([]);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(lookups).toEqual(['a.example']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
