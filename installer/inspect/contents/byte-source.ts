import { InstallerError } from '../../installer-error.ts';

/** Takes a stream apart into pieces of wanted sizes. */
export interface ByteSource {
  /** Throws InstallerError where the stream ends before. */
  take: (length: number) => Promise<Buffer>;
  /** The next bytes in pieces of any size, none of them kept. */
  drain: (length: number, use: (piece: Buffer) => void) => Promise<void>;
  /** A piece of what is left, or null at the end. */
  next: () => Promise<Buffer | null>;
  /** Ends what the stream comes from, wherever it is. */
  close: () => Promise<void>;
}

export function createByteSource(chunks: AsyncIterable<Buffer>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function next(): Promise<Buffer | null> {
    while (held.length === 0) {
      const { done, value } = await iterator.next();
      if (done) return null;
      held = value;
    }
    const piece = held;
    held = Buffer.alloc(0);
    return piece;
  }

  async function drain(length: number, use: (piece: Buffer) => void): Promise<void> {
    for (let missing = length; missing > 0;) {
      const piece = await next();
      if (!piece) throw new InstallerError(`ends ${missing} bytes too early`);
      held = piece.subarray(missing);
      use(piece.subarray(0, missing));
      missing -= Math.min(missing, piece.length);
    }
  }

  async function take(length: number): Promise<Buffer> {
    if (held.length >= length) {
      const piece = held.subarray(0, length);
      held = held.subarray(length);
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
