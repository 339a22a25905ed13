import type { Socket } from 'node:net';
import { type ClientHello, readClientHello } from '#agent/core/client-hello.ts';

/** A client that sends nothing for this long waits for the server: the protocol is not TLS. */
const HELLO_TIMEOUT_MS = 5_000;
/** A ClientHello has at most 64 KiB, plus its record headers. */
const MAX_BYTES = 66 * 1024;
/** Each chunk is parsed together with all before it. */
const MAX_CHUNKS = 4096;

export interface HelloResult {
  /** Null if the connection begins with something else, or too late. */
  hello: ClientHello | null;
  /**
   * All bytes of a client that has already ended: `unshift` is not possible after the end.
   * Null otherwise: the bytes were put back.
   */
  consumed: Buffer | null;
}

/**
 * The ClientHello with which a connection begins. What was read is put back, so that the socket can be
 * handed on, paused, as if nothing had been read.
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
