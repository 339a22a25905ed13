import { once } from 'node:events';
import { connect } from 'node:net';
import type { NetConnectOpts, Socket } from 'node:net';
import type { CaptureListenerOptions, InterceptedConnection } from '../capture-listener.ts';

/** What came through a listener in a test, in order. */
export interface ConnectionRecorder extends CaptureListenerOptions {
  /** The next connection. */
  next: () => Promise<InterceptedConnection>;
  /** Connections that have not been read yet. */
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

/** A client of a test: it may close its side and read on. */
export function connectTo(where: NetConnectOpts): Socket {
  return connect({ ...where, allowHalfOpen: true }).on('error', () => undefined);
}

/** All that comes until the other side has ended, or closed, however roughly. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  if (!socket.closed)
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));

  return Buffer.concat(chunks).toString('latin1');
}

/** What comes until `text` has come. */
export async function readUntil(socket: Socket, text: string): Promise<string> {
  let read = '';
  while (!read.includes(text)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk) read += chunk.toString('latin1');
    else await once(socket, 'readable');
  }
  return read;
}
