import type { Socket } from 'node:net';
import { type ClientHello, readClientHello } from '#agent/core/client-hello.ts';

/** A client that sends nothing for so long waits for the server to speak first: it is not TLS. */
const longestMs = 5_000;

/**
 * The ClientHello with which a connection begins; null if it begins otherwise, or not in time. What was
 * read is put back, so that the socket can be handed on, paused, as if nobody had looked.
 */
export function readHello(socket: Socket, withinMs = longestMs): Promise<ClientHello | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (hello: ClientHello | null): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      if (chunks.length > 0) socket.unshift(Buffer.concat(chunks));
      resolve(hello);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      const read = readClientHello(chunks.length === 1 ? chunk : Buffer.concat(chunks));
      if (read.state !== 'incomplete') finish(read.state === 'whole' ? read.hello : null);
    };
    const onEnd = (): void => finish(null);
    const timer = setTimeout(onEnd, withinMs);
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    socket.resume();
  });
}
