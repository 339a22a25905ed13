import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One end of a relayed connection. */
export interface Side {
  /** With `allowHalfOpen`. */
  stream: Duplex;
  /** Its TCP connection, which is `stream` itself where TLS is not terminated. */
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
 * Hands the bytes of each side to the other, unchanged and no faster than the other takes them. The
 * end of one direction ends that direction only; a side that is cut off cuts the other off. Resolves
 * when both are closed.
 */
export async function relay(client: Side, server: Side, tap: RelayTap = noTap): Promise<void> {
  await Promise.all([
    forward(client, server, {
      handOn: (chunk) => {
        tap.fromClient(chunk);
        server.stream.write(chunk);
      },
      ended: tap.clientEnded,
    }),
    forward(server, client, {
      handOn: (chunk) => {
        tap.fromServer(chunk);
        client.stream.write(chunk);
      },
      ended: tap.serverEnded,
    }),
  ]);
}

/** What happens with what one side sends. */
export interface Direction {
  /** Writes it to the other side, or keeps it. */
  handOn: (chunk: Buffer) => void;
  /** Nothing more comes. */
  ended: () => void;
  /** Is something kept, so that nothing more is to be read, and the end is not to be handed on? */
  isHeldBack?: () => boolean;
  /** Calls back whenever it may be no longer. */
  onFreed?: (goOn: () => void) => void;
}

export function forward(from: Side, to: Side, direction: Direction): Promise<void> {
  const { stream } = from;
  const { isHeldBack = () => false } = direction;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    direction.ended();
  };
  const goOn = (): void => {
    if (isHeldBack()) return;
    if (ended) to.stream.end();
    else if (!to.stream.writableNeedDrain) stream.resume();
  };
  stream.on('data', (chunk: Buffer) => {
    direction.handOn(chunk);
    if (isHeldBack() || to.stream.writableNeedDrain) stream.pause();
  });
  to.stream.on('drain', goOn);
  direction.onFreed?.(goOn);
  const onEnd = (): void => {
    end();
    if (!isHeldBack()) to.stream.end();
  };
  if (stream.readableEnded) onEnd();
  else stream.on('end', onEnd);
  // An error is followed by the close, which is what the other side learns of.
  stream.on('error', () => undefined);
  stream.resume();
  return new Promise((resolve) => {
    const closed = (): void => {
      // Without an end of its own, or while the other still sends, it was cut off.
      if (!ended || !to.stream.readableEnded) cutOff(to.socket);
      end();
      resolve();
    };
    if (stream.destroyed) closed();
    else stream.on('close', closed);
  });
}

/**
 * Ends a connection by a reset: what was sent so far is not the whole. After `end` libuv refuses to
 * reset, and the socket would never close.
 */
export function cutOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
