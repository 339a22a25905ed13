import type { Tree } from '../tree.ts';

export interface Listener {
  address: string;
  port: number;
}

const LISTENING = '0A';

/**
 * Parses an address. The kernel prints each 32-bit word as the machine stores it: lowest byte
 * first.
 */
function readAddress(hex: string): string {
  const bytes = hex
    .match(/.{8}/g)
    ?.flatMap((word) => (word.match(/../g) ?? []).toReversed().map((byte) => parseInt(byte, 16)));
  if (!bytes) return '';
  if (bytes.length === 4) return bytes.join('.');
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
  if (mapped) return bytes.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  return URL.parse(`http://[${groups.join(':')}]`)?.hostname.slice(1, -1) ?? '';
}

/** Parses one line of /proc/net/tcp: number, local, remote, state, …, inode. */
function readLine(line: string): [string, Listener] | undefined {
  const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
  const [address = '', port = ''] = local.split(':');
  if (state !== LISTENING || inode === undefined) return undefined;
  return [inode, { address: readAddress(address), port: parseInt(port, 16) }];
}

/**
 * Returns listening TCP sockets by inode. Reading the list makes the kernel walk all connections.
 */
export function readListeners(tree: Tree): ReadonlyMap<string, Listener> {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
    tree.kernelText(path).split('\n').slice(1),
  );
  return new Map(
    lines
      .flatMap((line) => (line.trim() ? [readLine(line)] : []))
      .filter((pair) => pair !== undefined),
  );
}
