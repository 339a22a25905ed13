import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addAddress('fd00::1', 'ipv6');

const addressOf = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  clientAddress(
    { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as never,
    trusted,
  );

describe('the client address', () => {
  test.each<[string, string, string | undefined, string | string[] | undefined]>([
    ['no proxy', '203.0.113.9', '203.0.113.9', undefined],
    ['IPv4 written as IPv6', '203.0.113.9', '::ffff:203.0.113.9', undefined],
    ['a header from a peer that is no proxy', '203.0.113.9', '203.0.113.9', '198.51.100.1'],
    ['one proxy', '198.51.100.1', '10.1.2.3', '198.51.100.1'],
    ['one proxy, as IPv6', '198.51.100.1', '::ffff:10.1.2.3', '198.51.100.1'],
    ['two proxies', '198.51.100.1', '10.1.2.3', '198.51.100.1, 10.9.9.9'],
    ['an invention before the client', '198.51.100.1', '10.1.2.3', '8.8.8.8, 198.51.100.1'],
    ['an invention that looks like a proxy', '198.51.100.1', '10.1.2.3', '10.0.0.1,198.51.100.1'],
    ['several headers', '198.51.100.1', '10.1.2.3', ['8.8.8.8', '198.51.100.1']],
    ['a port', '198.51.100.1', '10.1.2.3', '198.51.100.1:4711'],
    ['an IPv6 client', '2001:db8::7', 'fd00::1', '[2001:db8::7]:443'],
    ['a zone', 'fe80::1', 'fe80::1%eth0', undefined],
    ['no name of the client', '10.1.2.3', '10.1.2.3', undefined],
    ['a name that is no address', '10.1.2.3', '10.1.2.3', 'unknown'],
    ['all are proxies', '10.9.9.9', '10.1.2.3', '10.9.9.9'],
    ['a connection that is gone', '', undefined, '198.51.100.1'],
  ])('%s: %s', (_, expected, remote, forwarded) =>
    expect(addressOf(remote, forwarded)).toBe(expected),
  );
});
