import { lookup as lookupName, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Networks that are not on the internet (IANA special-purpose registries), and multicast. */
const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  special.addSubnet(network, bits, 'ipv6');

/** Returns the IPv4 address of an address that is written as IPv6. */
const plainAddress = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const hex = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(address);
  if (!hex) return address;
  const [high = 0, low = 0] = hex.slice(1).map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The address is one to which notifications are not sent. */
export class AddressRefused extends Error {}

/**
 * Refuses addresses that are not on the internet, unless the operator allows their network. Without
 * TLS, only allowed networks are accepted.
 *
 * @throws AddressRefused
 */
export function checkAddress(address: string, allowed: BlockList, isEncrypted: boolean): void {
  const plain = plainAddress(address);
  if (isIn(allowed, plain)) return;
  if (isIn(special, plain))
    throw new AddressRefused(
      `${plain} is a private address: the operator can allow its network with NOTIFY_PRIVATE_NETWORKS`,
    );
  if (!isEncrypted) throw new AddressRefused('http:// is only for private networks: use https://');
}

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Creates a `lookup` for connections that checks the addresses of a name. The connection is opened
 * to the checked address, so a later answer for the same name (DNS rebinding) has no effect.
 */
export const checkedLookup =
  (check: (address: string) => void) =>
  (host: string, options: LookupOptions, done: LookupDone): void => {
    lookupName(host, { ...options, all: true }, (failure, addresses) => {
      if (failure) return done(failure, []);
      try {
        for (const { address } of addresses) check(address);
      } catch (error) {
        return done(error as Error, []);
      }
      const [first] = addresses;
      if (options.all || !first) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
