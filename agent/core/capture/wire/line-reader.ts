import { createByteBuffer } from './byte-buffer.ts';
import { latin1 } from './latin1.ts';

export interface LineReader {
  /**
   * The line that ends in the chunk, without CRLF or LF; null if it is incomplete and was stored.
   */
  read: (chunk: Uint8Array, at: number) => string | null;
  /** Whether the last line ended with CRLF. */
  hasReturn: () => boolean;
  /** Counts bytes of lines that were read elsewhere. */
  count: (bytes: number) => void;
  /** The position in the chunk after the last read. */
  next: () => number;
  /** Resets the count of bytes that the limit applies to. */
  restart: () => void;
  /** Whether no partial line is stored. */
  isEmpty: () => boolean;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Reads lines from chunks of any size, up to `maxBytes` together. */
export function createLineReader(maxBytes: number): LineReader {
  const beginning = createByteBuffer(); // start of an incomplete line
  let counted = 0;
  let next = 0;
  let hasReturn = false;

  function count(bytes: number): void {
    counted += bytes;
    if (counted > maxBytes) throw new Error(`more than ${maxBytes} bytes of head`);
  }

  function lineOf(bytes: Uint8Array, from: number, to: number): string {
    hasReturn = to > from && bytes[to - 1] === CARRIAGE_RETURN;
    return latin1(bytes, from, hasReturn ? to - 1 : to);
  }

  return {
    read(chunk, at) {
      const end = chunk.indexOf(LINE_FEED, at);
      next = end === -1 ? chunk.length : end + 1;
      count(next - at);
      if (end !== -1 && beginning.length() === 0) return lineOf(chunk, at, end);
      beginning.append(chunk.subarray(at, end === -1 ? chunk.length : end));
      if (end === -1) return null;
      const line = beginning.take();
      return lineOf(line, 0, line.length);
    },
    hasReturn: () => hasReturn,
    count,
    next: () => next,
    restart: () => void (counted = 0),
    isEmpty: () => beginning.length() === 0,
  };
}
