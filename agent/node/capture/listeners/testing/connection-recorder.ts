import { once } from 'node:events';
import { connect } from 'node:net';
import type { NetConnectOpts, Socket } from 'node:net';
import type { CaptureListenerOptions, InterceptedConnection } from '../capture-listener.ts';

/** Records the connections of a listener in a test, in order. */
export interface ConnectionRecorder extends CaptureListenerOptions {
  /** Returns the next connection. */
  next: () => Promise<InterceptedConnection>;
  /** The connections that have not been returned yet. */
  unread: InterceptedConnection[];
  problems: (string | null)[];
}

export function recordConnections(): ConnectionRecorder {
  const unread: InterceptedConnection[] = [];
  const waiters: ((connection: InterceptedConnection) => void)[] = [];
  const problems: (string | null)[] = [];
  return {
    unread,
    problems,
    next: () =>
      new Promise((resolve) => {
        const first = unread.shift();
        if (first) resolve(first);
        else waiters.push(resolve);
      }),
    onConnection(connection) {
      connection.socket.on('error', () => undefined);
      const waiter = waiters.shift();
      if (waiter) waiter(connection);
      else unread.push(connection);
    },
    onProblem: (line) => void problems.push(line),
  };
}

/** Connects as a client that may close its side and continue to read. */
export function connectTo(where: NetConnectOpts): Socket {
  return connect({ ...where, allowHalfOpen: true }).on('error', () => undefined);
}

/** Returns all data until the other side has ended or closed, even with an error. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  if (!socket.closed)
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));

  return Buffer.concat(chunks).toString('latin1');
}

/** Returns the data up to and including the chunk with `text`. */
export async function readUntil(socket: Socket, text: string): Promise<string> {
  let read = '';
  while (!read.includes(text)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk) read += chunk.toString('latin1');
    else await once(socket, 'readable');
  }
  return read;
}
