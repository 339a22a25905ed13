import { isUtf8 } from 'node:buffer';

/** The maximum nesting of messages, as in other implementations of protobuf. */
const MAX_DEPTH = 100;
/**
 * The maximum number of messages in one request. Each takes at least two bytes, and becomes an
 * object of about a hundred.
 */
const MAX_MESSAGES = 1_000_000;
/** The length of the longest varint in bytes, each of which holds seven bits of the number. */
const MAX_BYTES = 10;
const CONTINUES = 0x80;
const BITS = 0x7f;

/** The halves of a 64-bit number, because a double cannot represent every such number. */
export interface Halves {
  low: number;
  high: number;
}

/**
 * Reads the value of the field with this tag into the message; returns false if the field must be
 * skipped.
 */
export type ReadField<M> = (cursor: WireCursor, tag: number, message: M) => boolean;

/**
 * Reads protobuf's wire format (https://protobuf.dev/programming-guides/encoding/) from start to
 * end. Every method throws an Error if the bytes do not have this format.
 */
export class WireCursor {
  readonly #bytes: Buffer;
  #at = 0;
  #end: number;
  #depth = 0;
  #messages = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  /** Reads the fields up to the end of the current message. */
  message<M>(message: M, read: ReadField<M>): M {
    while (this.#at < this.#end) {
      const tag = this.#size();
      if (!read(this, tag, message)) this.#skip(tag);
    }
    return message;
  }

  /** Reads a message that is the value of a field. */
  nested<M>(message: M, read: ReadField<M>): M {
    const length = this.#size();
    const outer = this.#end;
    this.#end = this.#endOf(length);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Error('messages are nested too deeply');
    this.#messages += 1;
    if (this.#messages > MAX_MESSAGES) throw new Error('there are too many messages');
    this.message(message, read);
    this.#depth -= 1;
    this.#end = outer;
    return message;
  }

  text(): string {
    const length = this.#size();
    const from = this.#at;
    this.#at = this.#endOf(length);
    const text = this.#bytes.toString('utf8', from, this.#at);
    // Bytes that are not UTF-8 become this character, which may also be part of a valid text.
    if (text.includes('\uFFFD') && !isUtf8(this.#bytes.subarray(from, this.#at)))
      throw new Error('a string is not valid UTF-8');
    return text;
  }

  bytes(): Uint8Array {
    const length = this.#size();
    const from = this.#at;
    this.#at = this.#endOf(length);
    return this.#bytes.subarray(from, this.#at);
  }

  hex(): string {
    const length = this.#size();
    const from = this.#at;
    this.#at = this.#endOf(length);
    return this.#bytes.toString('hex', from, this.#at);
  }

  fixed32(): number {
    const from = this.#at;
    this.#at = this.#endOf(4);
    return this.#bytes.readUInt32LE(from);
  }

  fixed64(): Halves {
    const from = this.#at;
    this.#at = this.#endOf(8);
    return { low: this.#bytes.readUInt32LE(from), high: this.#bytes.readUInt32LE(from + 4) };
  }

  double(): number {
    const from = this.#at;
    this.#at = this.#endOf(8);
    return this.#bytes.readDoubleLE(from);
  }

  /** Reads a signed integer; beyond the safe integers it is returned as text. */
  integer(): number | string {
    const from = this.#at;
    const first = this.#byte();
    if (first < CONTINUES) return first;
    let number = BigInt(first & BITS);
    for (let byte = first, shift = 7n; byte >= CONTINUES; shift += 7n) {
      if (this.#at - from === MAX_BYTES) throw new Error('a varint is too long');
      byte = this.#byte();
      number |= BigInt(byte & BITS) << shift;
    }
    const signed = BigInt.asIntN(64, number);
    const safe = Number(signed);
    return Number.isSafeInteger(safe) ? safe : String(signed);
  }

  /** Reads a tag, a length or another unsigned 32-bit number. */
  #size(): number {
    const from = this.#at;
    let byte = this.#byte();
    let number = byte & BITS;
    for (let factor = CONTINUES; byte >= CONTINUES; factor *= CONTINUES) {
      if (this.#at - from === MAX_BYTES) throw new Error('a varint is too long');
      byte = this.#byte();
      number += (byte & BITS) * factor;
    }
    return number;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new Error('a field is truncated');
    return this.#bytes[this.#at++] as number;
  }

  #endOf(length: number): number {
    const end = this.#at + length;
    if (end > this.#end) throw new Error('a field is truncated');
    return end;
  }

  #skip(tag: number): void {
    const type = tag & 7;
    if (tag < 8) throw new Error('a field has the invalid number 0');
    if (type === 0) this.integer();
    else if (type === 1) this.#at = this.#endOf(8);
    else if (type === 2) this.bytes();
    else if (type === 5) this.#at = this.#endOf(4);
    else throw new Error(`a field has the unsupported wire type ${type}`);
  }
}
