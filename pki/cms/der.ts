/**
 * The subset of DER needed to write a CMS signature. It is written by hand, so that certificates
 * and names are included byte for byte: a library that parses and re-encodes them may change bytes.
 */

/** One element: tag, length, and the concatenated contents. */
export function element(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), encodeLength(content.length), content]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => element(0x30, ...parts);
export const octetString = (bytes: Uint8Array): Buffer => element(0x04, bytes);
export const nullElement = (): Buffer => element(0x05);

/** Encodes a SET OF, whose members DER sorts by their bytes. */
export function setOf(...members: Uint8Array[]): Buffer {
  return element(0x31, ...sorted(members));
}

/** Encodes a SET OF whose own tag is replaced by [number], as in `[0] IMPLICIT SET OF`. */
export function taggedSetOf(number: number, ...members: Uint8Array[]): Buffer {
  return element(0xa0 | number, ...sorted(members));
}

function sorted(members: Uint8Array[]): Uint8Array[] {
  return [...members].sort((a, b) => Buffer.compare(a, b));
}

/** Encodes [number] EXPLICIT. */
export function tagged(number: number, part: Uint8Array): Buffer {
  return element(0xa0 | number, part);
}

/** Encodes an integer from 0 to 127, such as a version. */
export const smallInteger = (value: number): Buffer => element(0x02, Buffer.of(value));

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...arcs] = dotted.split('.').map(Number);
  return element(0x06, ...[first * 40 + second, ...arcs].map(encodeArc));
}

function encodeArc(arc: number): Buffer {
  const bytes = [arc % 128];
  for (
    let remaining = Math.floor(arc / 128);
    remaining > 0;
    remaining = Math.floor(remaining / 128)
  )
    bytes.unshift((remaining % 128) | 0x80);

  return Buffer.from(bytes);
}

/**
 * Encodes a UTCTime until 2049, and a GeneralizedTime from then on, as CMS requires. Milliseconds
 * are dropped.
 */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const short = digits < '2050';
  return element(short ? 0x17 : 0x18, Buffer.from(short ? digits.slice(2) : digits));
}
