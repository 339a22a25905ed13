/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  length = 0;

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }

  /** A whole number from 0 to 2^31, seven bits to a byte: small ones take one byte. */
  varint(value: number): void {
    if (this.length + 5 > this.#bytes.length) this.#reserve(5);
    let left = value;
    while (left > 0x7f) {
      this.#bytes[this.length++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    this.#bytes[this.length++] = left;
  }

  /** All that another one holds. */
  append(other: ByteWriter): void {
    this.bytes(other.#bytes, 0, other.length);
  }

  bytes(from: Uint8Array, start = 0, end = from.length): void {
    this.#reserve(end - start);
    // Most pieces are a few bytes long, for which a view costs more than a loop.
    if (end - start < 32)
      for (let i = start; i < end; i += 1) this.#bytes[this.length++] = from[i] as number;
    else {
      this.#bytes.set(from.subarray(start, end), this.length);
      this.length += end - start;
    }
  }

  /** What was written so far, as a copy. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length));
  }

  clear(): void {
    this.length = 0;
  }
}

export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  /** Past so many of them. */
  skipVarints(count: number): void {
    for (let left = count; left > 0;) if ((this.bytes[this.at++] as number) < 0x80) left -= 1;
  }

  take(count: number): Uint8Array {
    return this.bytes.subarray(this.at, (this.at += count));
  }
}
