import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface RawResponse {
  status: number;
  /** Headers by name in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** A persistent HTTP connection without a client library: the test sends and reads the bytes. */
export interface KeepAliveConnection {
  socket: Socket;
  write: (text: string) => void;
  /** Resolves with the next response; rejects if the connection ends before it is complete. */
  nextResponse: () => Promise<RawResponse>;
  request: (path: string) => Promise<RawResponse>;
  closed: Promise<void>;
}

export async function openConnection(url: string): Promise<KeepAliveConnection> {
  const { protocol, hostname, port } = new URL(url);
  const to = { host: hostname, port: Number(port) };
  const isTls = protocol === 'https:';
  const socket: Socket = isTls
    ? connectTls({ ...to, rejectUnauthorized: false })
    : connectPlain(to);
  await once(socket, isTls ? 'secureConnect' : 'connect');
  let received = '';
  let failure: Error | undefined;
  socket.on('data', (data: Buffer) => {
    received += data.toString('latin1');
    socket.emit('more');
  });
  socket.on('error', (error) => {
    failure = error;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      failure ??= new Error('the connection was closed');
      socket.emit('more');
      resolve();
    });
  });
  const nextResponse = async (): Promise<RawResponse> => {
    for (;;) {
      const read = parseResponse(received);
      if (read) {
        received = received.slice(read.length);
        return read.nextResponse;
      }
      if (failure) throw failure;
      await once(socket, 'more');
    }
  };
  return {
    socket,
    closed,
    nextResponse,
    write: (text) => void socket.write(text),
    request(path) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return nextResponse();
    },
  };
}

/** Parses the first response in the text; undefined while it is incomplete. */
function parseResponse(text: string): { nextResponse: RawResponse; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  const body = text.slice(end + 4, length);
  return { nextResponse: { status: Number(first.split(' ')[1]), headers, body }, length };
}
