import type { Socket } from 'node:net';
import { type ClientHello, readClientHello } from '#agent/core/client-hello.ts';

/** A client that sends nothing for so long waits for the server to speak first: it is not TLS. */
const longestMs = 5_000;
/** A ClientHello has 64 KiB at most, and the heads of its records; whatever is longer is none. */
const mostBytes = 66 * 1024;
/** Each piece is looked at with all before it. */
const mostPieces = 4096;

export interface Beginning {
  /** Null if the connection begins otherwise, or not in time. */
  hello: ClientHello | null;
  /**
   * All that the client has sent, where it has ended already: a socket takes nothing back after its end.
   * Null where it has not: what was read is put back.
   */
  all: Buffer | null;
}

/**
 * The ClientHello with which a connection begins. What was read is put back, so that the socket can be
 * handed on, paused, as if nothing had been read.
 */
export function readHello(socket: Socket, withinMs = longestMs): Promise<Beginning> {
  return new Promise((resolve) => {
    let read: Buffer = Buffer.alloc(0);
    let pieces = 0;
    const finish = (hello: ClientHello | null): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      const isOver = socket.readableEnded || socket.destroyed;
      if (!isOver && read.length > 0) socket.unshift(read);
      resolve({ hello, all: isOver ? read : null });
    };
    const onData = (chunk: Buffer): void => {
      read = pieces === 0 ? chunk : Buffer.concat([read, chunk]);
      pieces += 1;
      const found = readClientHello(read);
      if (found.state !== 'incomplete') finish(found.state === 'whole' ? found.hello : null);
      else if (read.length > mostBytes || pieces > mostPieces) finish(null);
    };
    const onEnd = (): void => finish(null);
    const timer = setTimeout(onEnd, withinMs);
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    socket.resume();
  });
}
