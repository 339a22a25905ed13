/** A range of a byte array, which avoids creating a view. */
export interface ByteRange {
  bytes: Uint8Array;
  start: number;
  end: number;
}

/** A growable byte buffer. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  length = 0;

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }

  /** Writes an integer from 0 to 2^31 in seven-bit groups; small ones take one byte. */
  varint(value: number): void {
    if (this.length + 5 > this.#bytes.length) this.#reserve(5);
    let remaining = value;
    while (remaining > 0x7f) {
      this.#bytes[this.length++] = (remaining & 0x7f) | 0x80;
      remaining >>>= 7;
    }
    this.#bytes[this.length++] = remaining;
  }

  /** Appends the content of another writer. */
  append(other: ByteWriter): void {
    this.bytes(other.#bytes, 0, other.length);
  }

  bytes(from: Uint8Array, start = 0, end = from.length): void {
    this.#reserve(end - start);
    // For a few bytes, a loop is cheaper than a view.
    if (end - start < 32)
      for (let i = start; i < end; i += 1) this.#bytes[this.length++] = from[i] as number;
    else {
      this.#bytes.set(from.subarray(start, end), this.length);
      this.length += end - start;
    }
  }

  /** Returns a copy of the content. */
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
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  /** Skips this many varints. */
  skipVarints(count: number): void {
    for (let remaining = count; remaining > 0;)
      if ((this.bytes[this.at++] as number) < 0x80) remaining -= 1;
  }
}
