import { InstallerError } from '../../installer-error.ts';

/** Splits a stream into chunks of requested sizes. */
export interface ByteSource {
  /** @throws InstallerError if the stream ends earlier */
  take: (length: number) => Promise<Buffer>;
  /** Passes on the next bytes in chunks of any size, without buffering. */
  drain: (length: number, use: (piece: Buffer) => void) => Promise<void>;
  /** A chunk of the remaining bytes, or null at the end. */
  next: () => Promise<Buffer | null>;
  /** Closes the underlying stream at its current position. */
  close: () => Promise<void>;
}

export function createByteSource(chunks: AsyncIterable<Buffer>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);

  async function next(): Promise<Buffer | null> {
    while (buffered.length === 0) {
      const { done, value } = await iterator.next();
      if (done) return null;
      buffered = value;
    }
    const piece = buffered;
    buffered = Buffer.alloc(0);
    return piece;
  }

  async function drain(length: number, use: (piece: Buffer) => void): Promise<void> {
    for (let missing = length; missing > 0;) {
      const piece = await next();
      if (!piece) throw new InstallerError(`is truncated: ${missing} bytes are missing`);
      buffered = piece.subarray(missing);
      use(piece.subarray(0, missing));
      missing -= Math.min(missing, piece.length);
    }
  }

  async function take(length: number): Promise<Buffer> {
    if (buffered.length >= length) {
      const piece = buffered.subarray(0, length);
      buffered = buffered.subarray(length);
      return piece;
    }
    const pieces: Buffer[] = [];
    await drain(length, (piece) => pieces.push(piece));
    return Buffer.concat(pieces);
  }

  async function close(): Promise<void> {
    await iterator.return?.();
  }

  return { take, drain, next, close };
}
