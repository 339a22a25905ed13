/**
 * The server behind the relays: HTTP/1.1 and HTTP/2 over TLS, and endless bytes over TCP. It does
 * as little as possible, because it shares the machine with the measured program.
 *
 * upstream.ts CERTIFICATES
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificates } from './certificates.ts';
import { createMessageReader } from './http1-messages.ts';
import { answerRequests } from './http2-load.ts';
import {
  BLOCK,
  requestedBytes,
  chatAnswer,
  eventNow,
  EVENTS_OF_STREAM,
  requestedInterval,
  smallAnswer,
} from './traffic.ts';

const headOf = (length: number): Buffer =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
const chat = Buffer.concat([headOf(chatAnswer.length), chatAnswer]);
const small = Buffer.concat([headOf(smallAnswer.length), smallAnswer]);
const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';

function answer(socket: Socket, head: string): void {
  const bytes = requestedBytes(head);
  const everyMs = requestedInterval(head);
  if (bytes > 0) sendBody(socket, bytes);
  else if (everyMs > 0) sendEvents(socket, everyMs);
  else socket.write(head.startsWith('GET') ? small : chat);
}

function sendBody(socket: Socket, bytes: number): void {
  let left = bytes;
  socket.write(headOf(bytes));
  const more = (): void => {
    while (left > 0) {
      const block = left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK;
      left -= block.length;
      if (!socket.write(block)) return void (left > 0 && socket.once('drain', more));
    }
  };
  more();
}

/**
 * Sends events. Streams start at different times, so that their events are not sent all at once.
 */
function sendEvents(socket: Socket, everyMs: number): void {
  let sent = 0;
  socket.write(STREAM_HEAD);
  const send = (): void => {
    if (socket.destroyed) return clearInterval(timer);
    const event = eventNow();
    const chunk = `${event.length.toString(16)}\r\n${event}\r\n`;
    sent += 1;
    if (sent < EVENTS_OF_STREAM) return void socket.write(chunk);
    clearInterval(timer);
    socket.write(`${chunk}0\r\n\r\n`);
  };
  let timer = setTimeout(() => (timer = setInterval(send, everyMs)), Math.random() * everyMs);
}

function sendEndlessly(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(BLOCK));
  };
  socket.on('drain', more);
  more();
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const { server } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Certificates;
const tls = createTlsServer(
  {
    key: server.privateKeyPem,
    cert: server.certificatePem,
    ALPNProtocols: ['h2', 'http/1.1'],
    noDelay: true,
  },
  (socket) => {
    socket.on('error', () => undefined);
    if (socket.alpnProtocol === 'h2') return answerRequests(socket);
    socket.on('data', createMessageReader({ end: (head) => answer(socket, head) }));
  },
);
const tcp = createTcpServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => sendEndlessly(socket));
});
const ports = { tls: await listen(tls), tcp: await listen(tcp) };
process.send?.(ports);
process.on('disconnect', () => process.exit());
