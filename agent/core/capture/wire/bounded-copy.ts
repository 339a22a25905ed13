import type { Reservation } from './copy-budget.ts';

/** The beginning of a stream of bytes, as long as limit and budget allow. */
export interface BoundedCopy {
  append: (bytes: Uint8Array) => void;
  /** Counts bytes without copying them. */
  skip: (count: number) => void;
  /** All bytes, kept or not. */
  size: () => number;
  isTruncated: () => boolean;
  blocks: () => Uint8Array[];
}

const MIN_BLOCK_BYTES = 64;
const MAX_BLOCK_BYTES = 65_536;

/**
 * Copies into blocks that double in size. A chunk is never kept itself: a view of few bytes would
 * hold the whole buffer that it was read into.
 */
export function createBoundedCopy(hold: Reservation, maxBytes: number): BoundedCopy {
  const blocks: Uint8Array[] = [];
  let size = 0;
  let reserved = 0;
  let room = 0; // in the last block
  let isTruncated = false;

  function append(bytes: Uint8Array): void {
    size += bytes.length;
    for (let at = 0; at < bytes.length && !isTruncated;)
      if (room === 0 && !addBlock(bytes.length - at)) isTruncated = true;
      else at += fill(bytes, at);
  }

  function fill(bytes: Uint8Array, at: number): number {
    const block = blocks.at(-1) ?? new Uint8Array();
    const count = Math.min(room, bytes.length - at);
    const part = count === bytes.length ? bytes : bytes.subarray(at, at + count);
    block.set(part, block.length - room);
    room -= count;
    return count;
  }

  function addBlock(wanted: number): boolean {
    const doubled = Math.max(MIN_BLOCK_BYTES, Math.min(reserved, MAX_BLOCK_BYTES));
    const length = Math.min(maxBytes - reserved, Math.max(wanted, doubled));
    if (length <= 0 || !hold.take(length)) return false;
    blocks.push(new Uint8Array(length));
    reserved += length;
    room = length;
    return true;
  }

  return {
    append,
    skip(count) {
      size += count;
      if (count > 0) isTruncated = true;
    },
    size: () => size,
    isTruncated: () => isTruncated,
    blocks: () =>
      blocks.map((block, i) =>
        i === blocks.length - 1 && room > 0 ? block.subarray(0, block.length - room) : block,
      ),
  };
}
