/**
 * The text of the IPv4 (4 bytes) or IPv6 (16 bytes) address at `at`, in the canonical form of RFC
 * 5952. An IPv4-mapped IPv6 address is written as IPv4, because it is the same peer.
 */
export function ipText(bytes: Uint8Array, at: number, length: 4 | 16): string {
  if (length === 4) return quadText(bytes, at);
  if (isMapped(bytes, at)) return quadText(bytes, at + 12);
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2)
    groups.push(((bytes[at + i] ?? 0) << 8) | (bytes[at + i + 1] ?? 0));
  const gap = longestZeroRun(groups);
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  if (gap.length < 2) return hex(groups);
  return `${hex(groups.slice(0, gap.start))}::${hex(groups.slice(gap.start + gap.length))}`;
}

/** Normalizes a system's text form of an address to that of `ipText`. */
export function plainAddress(text: string): string {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
}

/** Whether an address is loopback or unspecified, so that traffic does not leave the machine. */
export function isLoopback(address: string): boolean {
  return (
    address.startsWith('127.') || address === '::1' || address === '0.0.0.0' || address === '::'
  );
}

function quadText(bytes: Uint8Array, at: number): string {
  return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
}

function isMapped(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < 10; i++) if (bytes[at + i] !== 0) return false;
  return bytes[at + 10] === 0xff && bytes[at + 11] === 0xff;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
