import { once } from 'node:events';
import { connect } from 'node:net';
import type { NetConnectOpts, Socket } from 'node:net';
import type { DoorOptions, TakenConnection } from '../door.ts';

/** What came through a door in a test, in order. */
export interface Taken extends DoorOptions {
  /** The next connection. */
  next: () => Promise<TakenConnection>;
  /** Connections that have not been read yet. */
  waiting: TakenConnection[];
  problems: (string | null)[];
}

export function recordTaken(): Taken {
  const waiting: TakenConnection[] = [];
  const askers: ((taken: TakenConnection) => void)[] = [];
  const problems: (string | null)[] = [];
  return {
    waiting,
    problems,
    next: () =>
      new Promise((resolve) => {
        const first = waiting.shift();
        if (first) resolve(first);
        else askers.push(resolve);
      }),
    onConnection(taken) {
      taken.socket.on('error', () => undefined);
      const asker = askers.shift();
      if (asker) asker(taken);
      else waiting.push(taken);
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
  if (!socket.closed) {
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  }
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
