import type { Writable } from 'node:stream';

export type Write = (stream: Writable, chunk: Buffer) => void;

/**
 * The maximum content of a TLS record: a chunk of this size gains nothing by waiting for others.
 */
const FULL_RECORD_BYTES = 16_384;

/**
 * Joins the chunks for a stream within one turn of the event loop into one TLS record and one
 * packet. HTTP/2 senders write a separate record for each request on a connection.
 */
export function createJoinedWrites(): Write {
  let corked: Writable[] = [];
  const uncork = (): void => {
    const streams = corked;
    corked = [];
    for (const stream of streams) stream.uncork();
  };
  return (stream, chunk) => {
    // Large bodies must not collect in memory until the turn ends.
    if (chunk.length >= FULL_RECORD_BYTES) while (stream.writableCorked > 0) stream.uncork();
    else if (stream.writableCorked === 0) {
      stream.cork();
      // Node runs immediates after it has read from every readable socket.
      if (corked.push(stream) === 1) setImmediate(uncork);
    }
    stream.write(chunk);
  };
}
