import type { Socket } from 'node:net';
import { type ClientHello, readClientHello } from '#agent/core/client-hello.ts';

/**
 * The time after which a silent client is assumed to wait for the server: its protocol is not TLS.
 */
const HELLO_TIMEOUT_MS = 5_000;
/** The size limit: a ClientHello has at most 64 KiB, plus its record headers. */
const MAX_BYTES = 66 * 1024;
/** The maximum number of chunks: after each one, everything received so far is parsed again. */
const MAX_CHUNKS = 4096;

export interface HelloResult {
  /** The ClientHello; null if the connection begins with anything else, or it is late. */
  hello: ClientHello | null;
  /**
   * All bytes of a client that has already ended: `unshift` is not possible after the end.
   * Null otherwise: the bytes were put back.
   */
  consumed: Buffer | null;
}

/**
 * Reads the ClientHello at the start of a connection. The bytes read are put back, so that the
 * paused socket can be passed on as if nothing had been read.
 */
export function readHello(socket: Socket, timeoutMs = HELLO_TIMEOUT_MS): Promise<HelloResult> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    let chunkCount = 0;
    const finish = (hello: ClientHello | null): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      const hasEnded = socket.readableEnded || socket.destroyed;
      if (!hasEnded && received.length > 0) socket.unshift(received);
      resolve({ hello, consumed: hasEnded ? received : null });
    };
    const onData = (chunk: Buffer): void => {
      received = chunkCount === 0 ? chunk : Buffer.concat([received, chunk]);
      chunkCount += 1;
      const result = readClientHello(received);
      if (result.state !== 'incomplete') finish(result.state === 'whole' ? result.hello : null);
      else if (received.length > MAX_BYTES || chunkCount > MAX_CHUNKS) finish(null);
    };
    const onEnd = (): void => finish(null);
    const timer = setTimeout(onEnd, timeoutMs);
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    socket.resume();
  });
}
