import type { Reservation } from './copy-budget.ts';

/** A copy of the first bytes of a stream, up to a limit and the budget. */
export interface BoundedCopy {
  append: (bytes: Uint8Array) => void;
  /** Counts bytes without copying them. */
  skip: (count: number) => void;
  /** The number of all bytes, copied or not. */
  size: () => number;
  isTruncated: () => boolean;
  blocks: () => Uint8Array[];
}

const MIN_BLOCK_BYTES = 64;
const MAX_BLOCK_BYTES = 65_536;

export const createBoundedCopy = (hold: Reservation, maxBytes: number): BoundedCopy =>
  new BlockCopy(hold, maxBytes);

/**
 * Copies into blocks that double in size, because keeping a small view of a chunk would keep the
 * whole read buffer. A class, because each exchange has two of them and closures would be most of
 * its memory.
 */
class BlockCopy implements BoundedCopy {
  readonly #hold: Reservation;
  readonly #maxBytes: number;
  readonly #blocks: Uint8Array[] = [];
  #size = 0;
  #reserved = 0;
  #room = 0; // free bytes in the last block
  #isTruncated = false;

  constructor(hold: Reservation, maxBytes: number) {
    this.#hold = hold;
    this.#maxBytes = maxBytes;
  }

  append(bytes: Uint8Array): void {
    this.#size += bytes.length;
    for (let at = 0; at < bytes.length && !this.#isTruncated;)
      if (this.#room === 0 && !this.#addBlock(bytes.length - at)) this.#isTruncated = true;
      else at += this.#fill(bytes, at);
  }

  skip(count: number): void {
    this.#size += count;
    if (count > 0) this.#isTruncated = true;
  }

  size(): number {
    return this.#size;
  }

  isTruncated(): boolean {
    return this.#isTruncated;
  }

  blocks(): Uint8Array[] {
    const room = this.#room;
    return this.#blocks.map((block, i) =>
      i === this.#blocks.length - 1 && room > 0 ? block.subarray(0, block.length - room) : block,
    );
  }

  #fill(bytes: Uint8Array, at: number): number {
    const block = this.#blocks.at(-1) ?? new Uint8Array();
    const count = Math.min(this.#room, bytes.length - at);
    const part = count === bytes.length ? bytes : bytes.subarray(at, at + count);
    block.set(part, block.length - this.#room);
    this.#room -= count;
    return count;
  }

  #addBlock(wanted: number): boolean {
    const doubled = Math.max(MIN_BLOCK_BYTES, Math.min(this.#reserved, MAX_BLOCK_BYTES));
    const length = Math.min(this.#maxBytes - this.#reserved, Math.max(wanted, doubled));
    if (length <= 0 || !this.#hold.take(length)) return false;
    this.#blocks.push(new Uint8Array(length));
    this.#reserved += length;
    this.#room = length;
    return true;
  }
}
