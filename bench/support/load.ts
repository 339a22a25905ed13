import { connect } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

export interface LoadResult {
  requests: number;
  seconds: number;
  /** The latencies in milliseconds, ascending. */
  latencies: number[];
}

interface Connections {
  port: number;
  connections: number;
  /** The pause of each connection after a response. */
  restMs?: number;
  /** The maximum number of requests per second over all connections. */
  perSecond?: number;
  /** TLS options, with the client's certificate. */
  tls?: ConnectionOptions | undefined;
}

interface Load extends Connections {
  /** Complete HTTP requests, which are sent repeatedly. */
  requests: readonly Buffer[];
  total: number;
}

/** The requests of one connection. Each yield returns the complete response to the last request. */
export type Conversation = Generator<Buffer, void, string>;

/**
 * Sends requests over persistent connections, each of which waits for a response before the next
 * request.
 *
 * @throws Error at the first response that is not 2xx
 */
export function runLoad({ requests, total, ...connections }: Load): Promise<LoadResult> {
  let sent = 0;
  return runConversations(connections, function* () {
    while (sent < total) yield requests[sent++ % requests.length] as Buffer;
  });
}

/**
 * Has a conversation with the server on each connection. Uses raw sockets, because on two cores the
 * load must cost much less than the measured program.
 *
 * @throws Error at the first response that is not 2xx
 */
export async function runConversations(
  { port, connections, restMs = 0, perSecond = Infinity, tls }: Connections,
  start: () => Conversation,
): Promise<LoadResult> {
  const latencies: number[] = [];
  let sent = 0;
  const began = performance.now();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = (
        tls ? connectTls({ port, host: 'localhost', ...tls }) : connect(port, '127.0.0.1')
      ).setNoDelay();
      const conversation = start();
      let from = 0;
      let received = '';
      const next = (response: string): void => {
        const { value: request } = conversation.next(response);
        if (!request) {
          socket.end();
          resolve();
          return;
        }
        const due = began + (sent++ * 1000) / perSecond;
        const send = (): void => {
          from = performance.now();
          socket.write(request);
        };
        const early = due - performance.now();
        if (early > 0) setTimeout(send, early);
        else send();
      };
      socket.setEncoding('latin1');
      socket.on(tls ? 'secureConnect' : 'connect', () => next(''));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed the connection')));
      socket.on('data', (chunk) => {
        received += String(chunk);
        if (!isWhole(received)) return;
        if (!received.startsWith('HTTP/1.1 2')) reject(new Error(received.slice(0, 500)));
        const response = received;
        received = '';
        latencies.push(performance.now() - from);
        if (restMs > 0) setTimeout(next, restMs, response);
        else next(response);
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return {
    requests: latencies.length,
    seconds: (performance.now() - began) / 1000,
    latencies: latencies.sort((a, b) => a - b),
  };
}

function isWhole(response: string): boolean {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(response)?.[1];
  return length !== undefined && response.length >= end + 4 + Number(length);
}

export const postRequest = (path: string, key: string, body: unknown): Buffer =>
  request('POST', path, { 'X-Svc-Key': key }, Buffer.from(JSON.stringify(body)));

/** Formats a complete HTTP request. */
export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const all = {
    Host: 'localhost',
    ...(body.length > 0 && { 'Content-Type': 'application/json' }),
    ...headers,
    'Content-Length': String(body.length),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

export const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? NaN;
