import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Write } from './joined-writes.ts';

/** One end of a relayed connection. */
export interface RelaySide {
  /** The stream, with `allowHalfOpen`. */
  stream: Duplex;
  /** The TCP connection of the stream; `stream` itself if TLS is not terminated. */
  socket: Socket;
}

export interface RelayTap {
  fromClient: (chunk: Buffer) => void;
  fromServer: (chunk: Buffer) => void;
  clientEnded: () => void;
  serverEnded: () => void;
}

const noTap: RelayTap = {
  fromClient: () => undefined,
  fromServer: () => undefined,
  clientEnded: () => undefined,
  serverEnded: () => undefined,
};

/**
 * Forwards the bytes of each side to the other, unchanged and with backpressure. The end of one
 * direction ends only that direction; a connection that breaks off also breaks off the other.
 * Resolves when both are closed.
 */
export async function relay(
  client: RelaySide,
  server: RelaySide,
  write: Write,
  tap: RelayTap = noTap,
): Promise<void> {
  await Promise.all([
    forward(client, server, {
      deliver: (chunk) => {
        write(server.stream, chunk);
        tap.fromClient(chunk);
      },
      onEnd: tap.clientEnded,
    }),
    forward(server, client, {
      deliver: (chunk) => {
        write(client.stream, chunk);
        tap.fromServer(chunk);
      },
      onEnd: tap.serverEnded,
    }),
  ]);
}

/** The handling of the bytes of one side. */
export interface Direction {
  /** Writes the chunk to the other side, or holds it. */
  deliver: (chunk: Buffer) => void;
  /** Called when the side has ended. */
  onEnd: () => void;
  /** Returns whether data is held, so that reading pauses and the end is not forwarded. */
  isPaused?: () => boolean;
  /** Calls back whenever held data may have been released. */
  onResume?: (resume: () => void) => void;
}

export function forward(from: RelaySide, to: RelaySide, direction: Direction): Promise<void> {
  const { stream } = from;
  const { isPaused = () => false } = direction;
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    direction.onEnd();
  };
  const resume = (): void => {
    if (isPaused()) return;
    if (hasEnded) to.stream.end();
    else if (!to.stream.writableNeedDrain) stream.resume();
  };
  stream.on('data', (chunk: Buffer) => {
    direction.deliver(chunk);
    if (isPaused() || to.stream.writableNeedDrain) stream.pause();
  });
  to.stream.on('drain', resume);
  direction.onResume?.(resume);
  const onEnd = (): void => {
    end();
    if (!isPaused()) to.stream.end();
  };
  if (stream.readableEnded) onEnd();
  else stream.on('end', onEnd);
  // An error is followed by `close`, which is forwarded.
  stream.on('error', () => undefined);
  stream.resume();
  return new Promise((resolve) => {
    const closed = (): void => {
      // Chunks may still be held to be joined with others of this turn.
      while (to.stream.writableCorked > 0) to.stream.uncork();
      // A close without an end, or while the peer is still sending, is a reset.
      if (!hasEnded || !to.stream.readableEnded) resetSocket(to.socket);
      end();
      resolve();
    };
    if (stream.destroyed) closed();
    else stream.on('close', closed);
  });
}

/**
 * Ends a connection by a reset, because the data is incomplete. After `end` libuv refuses to
 * reset, and the socket would never close.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
