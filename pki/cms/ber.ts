import { CmsError } from './cms-error.ts';

/**
 * One ASN.1 value with its exact bytes. Signatures cover bytes rather than their meaning, and Apple
 * uses indefinite lengths (BER): a decoder that returns objects loses both.
 */
export interface BerNode {
  /** The identifier octet: class, constructed or not, number. */
  tag: number;
  /** The whole value, including its header. */
  raw: Buffer;
  /** The bytes after the header. */
  content: Buffer;
  /** Empty unless constructed. */
  children: BerNode[];
}

export const tags = {
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  octetsInPieces: 0x24,
  implicit0: 0x80,
  constructed0: 0xa0,
  constructed1: 0xa1,
} as const;

const DEPTH_LIMIT = 32;

/**
 * Parses one value from the start of the bytes, which may be followed by others.
 *
 * @throws CmsError
 */
export const readBer = (bytes: Uint8Array): BerNode =>
  readNode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);

function readNode(bytes: Buffer, depth: number): BerNode {
  if (depth > DEPTH_LIMIT) throw damaged();
  const [tag, first] = [bytes[0], bytes[1]];
  // None of the supported formats has multi-octet tags.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw damaged();
  const constructed = (tag & 0x20) !== 0;
  if (first === 0x80) {
    if (!constructed) throw damaged();
    return readIndefinite(bytes, tag, depth);
  }
  const start = first < 0x80 ? 2 : 2 + (first & 0x7f);
  const length = first < 0x80 ? first : readLength(bytes.subarray(2, start), first & 0x7f);
  if (start + length > bytes.length) throw damaged();
  const content = bytes.subarray(start, start + length);
  const children = constructed ? readAll(content, depth + 1) : [];
  return { tag, raw: bytes.subarray(0, start + length), content, children };
}

/**
 * The child at an index, which must have one of the tags.
 *
 * @throws CmsError
 */
export function childAt(node: BerNode, index: number, ...expected: number[]): BerNode {
  const child = node.children[index];
  if (!child || (expected.length > 0 && !expected.includes(child.tag))) throw damaged();
  return child;
}

/** The content of an octet string, which BER allows to be segmented. */
export function octetsOf(node: BerNode): Buffer {
  if (node.tag === tags.octets) return node.content;
  if (node.tag !== tags.octetsInPieces) throw damaged();
  return Buffer.concat(node.children.map(octetsOf));
}

/** An object identifier in dotted notation. */
export function oidOf({ tag, content }: BerNode): string {
  if (tag !== tags.oid || content.length === 0 || (content.at(-1) as number) >= 0x80)
    throw damaged();
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  const first = numbers.shift() as number;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...numbers].join('.');
}

export const damaged = () => new CmsError('is damaged: unexpected ASN.1');

function readIndefinite(bytes: Buffer, tag: number, depth: number): BerNode {
  const children: BerNode[] = [];
  let at = 2;
  while (bytes[at] !== 0) {
    const child = readNode(bytes.subarray(at), depth + 1);
    children.push(child);
    at += child.raw.length;
  }
  if (bytes[at + 1] !== 0) throw damaged();
  return { tag, raw: bytes.subarray(0, at + 2), content: bytes.subarray(2, at), children };
}

function readLength(octets: Buffer, count: number): number {
  if (count > 4 || octets.length !== count) throw damaged();
  const length = octets.readUIntBE(0, count);
  // A non-minimal length would be an alternative encoding that hides changes.
  if (length < 0x80 || octets[0] === 0) throw damaged();
  return length;
}

function readAll(content: Buffer, depth: number): BerNode[] {
  const nodes: BerNode[] = [];
  for (let at = 0; at < content.length;) {
    const node = readNode(content.subarray(at), depth);
    nodes.push(node);
    at += node.raw.length;
  }
  return nodes;
}
