/** The bytes of an IPv4 (4) or IPv6 (16) address in any text form; undefined for other text. */
export function ipBytes(text: string): Uint8Array | undefined {
  return text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text);
}

/**
 * Whether an address stays on this machine or its link (unspecified, loopback, link-local, multicast
 * or broadcast), or is a service of the cloud for this machine. Also as IPv4 within IPv6. True for
 * text that is not an address.
 */
export function isLocalAddress(text: string): boolean {
  const bytes = ipBytes(text);
  if (!bytes) return true;
  if (bytes.length === 4) return isLocalIpv4(bytes);
  const [first = 0, second = 0] = bytes;
  if (first === 0xff || (first === 0xfe && (second & 0xc0) === 0x80)) return true;
  const hasPrefix = (prefix: readonly number[]): boolean =>
    prefix.every((byte, i) => bytes[i] === byte);
  return (
    hasPrefix(awsIpv6Services) || (ipv4Prefixes.some(hasPrefix) && isLocalIpv4(bytes.subarray(12)))
  );
}

/** The local services of Amazon EC2: docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html */
const awsIpv6Services = [0xfd, 0x00, 0x0e, 0xc2];
const zeros = (count: number): number[] => Array<number>(count).fill(0);
/** IPv4-compatible and IPv4-mapped addresses (RFC 4291, 2.5.5), and NAT64 (RFC 6052, 2.1). */
const ipv4Prefixes = [zeros(12), [...zeros(10), 0xff, 0xff], [0x00, 0x64, 0xff, 0x9b, ...zeros(8)]];
/** Services for the machine itself: Azure WireServer, Alibaba Cloud, and Oracle Cloud. */
const cloudServices = new Set(['168.63.129.16', '100.100.100.200', '192.0.0.192']);

function isLocalIpv4(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (
    first === 0 ||
    first === 127 ||
    (first === 169 && second === 254) ||
    first >= 224 ||
    cloudServices.has(bytes.join('.'))
  );
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
