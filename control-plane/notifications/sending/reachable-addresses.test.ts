import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { checkAddress } from './reachable-addresses.ts';

const none = new BlockList();

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1',
  'ff02::1',
])('%s is refused', (address) => {
  expect(() => checkAddress(address, none, true)).toThrow(/private address/);
});

test.each(['1.1.1.1', '172.32.0.1', '2606:4700::1', '::ffff:1.1.1.1'])(
  '%s is reached with TLS, but not without',
  (address) => {
    expect(() => checkAddress(address, none, true)).not.toThrow();
    expect(() => checkAddress(address, none, false)).toThrow(/https:/);
  },
);

test('networks that the operator allows are reached, and no others', () => {
  const allowed = new BlockList();
  allowed.addSubnet('10.0.0.0', 8, 'ipv4');
  allowed.addSubnet('fd00::', 8, 'ipv6');
  for (const address of ['10.9.9.9', '::ffff:10.0.0.1', 'fd12::1'])
    expect(() => checkAddress(address, allowed, false)).not.toThrow();
  expect(() => checkAddress('192.168.1.1', allowed, true)).toThrow(/private address/);
});
