/** The bytes of an IPv4 (4) or IPv6 (16) address in any text form; undefined for other text. */
export function ipBytes(text: string): Uint8Array | undefined {
  return text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text);
}

/**
 * Whether an address stays on this machine or its link: unspecified, loopback, link-local,
 * multicast or broadcast, also as IPv4-mapped IPv6. True for text that is not an address.
 */
export function isLocalAddress(text: string): boolean {
  const bytes = ipBytes(text);
  if (!bytes) return true;
  if (bytes.length === 4) return isLocalIpv4(bytes);
  const [first = 0, second = 0] = bytes;
  if (first === 0xff || (first === 0xfe && (second & 0xc0) === 0x80)) return true;
  const leading = bytes.findIndex((byte) => byte !== 0);
  if (leading === 10 && bytes[10] === 0xff && bytes[11] === 0xff)
    return isLocalIpv4(bytes.subarray(12));

  return leading === -1 || (leading === 15 && bytes[15] === 1);
}

function isLocalIpv4([first = 0, second = 0]: Uint8Array): boolean {
  return first === 0 || first === 127 || (first === 169 && second === 254) || first >= 224;
}

function ipv4Bytes(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  const isQuad = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part));
  const numbers = parts.map(Number);
  return isQuad && numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
}

function ipv6Bytes(text: string): Uint8Array | undefined {
  const halves = text.split('::').map((half, i, all) => groupBytes(half, i === all.length - 1));
  const [head, tail] = halves;
  if (!head || halves.length > 2 || halves.includes(undefined)) return undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 2 : missing !== 0) return undefined;
  return Uint8Array.from([...head, ...Array<number>(missing).fill(0), ...(tail ?? [])]);
}

/** The bytes of colon-separated groups; the last part of an address may be an IPv4 address. */
function groupBytes(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [i, group] of groups.entries()) {
    const quad = isEnd && i === groups.length - 1 ? ipv4Bytes(group) : undefined;
    if (!quad && !/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
    const value = Number.parseInt(group, 16);
    bytes.push(...(quad ?? [value >> 8, value & 0xff]));
  }
  return bytes;
}
