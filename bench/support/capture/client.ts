/**
 * The load generator, which is controlled by messages. Each order is one type of load for some
 * seconds. The response is its result, with the CPU time of the relay.
 *
 * client.ts CERTIFICATES
 */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import { percentile } from '../load.ts';
import { processorSeconds } from '../processes.ts';
import type { Certificates } from './certificates.ts';
import { createMessageReader } from './http1-messages.ts';
import { sendRequests } from './http2-load.ts';
import {
  bodyRequest,
  CAPTURED,
  chatRequest,
  NOT_CAPTURED,
  sentAt,
  sharedNow,
  smallRequest,
  streamRequest,
} from './traffic.ts';

export interface Order {
  load: keyof typeof loads | 'one body';
  port: number;
  /** The process of the relay; null without a relay. */
  pid: number | null;
  connections: number;
  seconds: number;
  /** The milliseconds between the events of a stream. */
  everyMs?: number;
  /** The size of a body in bytes. */
  bytes?: number;
}

export interface Measured {
  /** The number of bytes, requests, connections or events. */
  count: number;
  seconds: number;
  /** The CPU seconds of the relay, and of its main thread alone. */
  processor: number;
  mainThread: number;
  /** The delays of events in milliseconds. */
  delays: { p50: number; p99: number } | null;
}

const WARM_UP_MS = 300;
const STREAMS_AT_ONCE = 4;

const { worldRoot, tenantRoot } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as Certificates;
const secureContext = createSecureContext({ ca: [worldRoot, tenantRoot] });

/** The sockets of the current order. */
const sockets = new Set<Socket>();
let count = 0;
let delays: number[] = [];
let isOver = false;

const fail = (error: Error): void => {
  if (isOver) return;
  console.error(error);
  process.exit(1);
};

function keep<S extends Socket>(socket: S): S {
  sockets.add(socket);
  socket.on('error', fail);
  socket.on('close', () => sockets.delete(socket));
  return socket;
}

function open(port: number, protocol: 'h2' | 'http/1.1', onSecure: (socket: TLSSocket) => void) {
  const socket = connectTls({
    host: '127.0.0.1',
    port,
    servername: CAPTURED,
    secureContext,
    ALPNProtocols: [protocol],
  });
  keep(socket).setNoDelay();
  socket.once('secureConnect', () => {
    if (socket.alpnProtocol !== protocol) fail(new Error(`${protocol} was not negotiated`));
    onSecure(socket);
  });
  socket.on('end', () => fail(new Error('the relay closed a connection')));
  return socket;
}

const mustBeOk = (head: string): void => {
  if (!head.startsWith('HTTP/1.1 200')) fail(new Error(head));
};

/** Sends the next request after each response. */
function askAgain(
  port: number,
  request: Buffer,
  onAnswer: () => void,
  onBytes?: (n: number) => void,
) {
  open(port, 'http/1.1', (socket) => {
    const end = (head: string): void => {
      mustBeOk(head);
      onAnswer();
      socket.write(request);
    };
    socket.on('data', createMessageReader({ end, ...(onBytes && { body: onBytes }) }));
    socket.write(request);
  });
}

function connectAgain(port: number): void {
  const socket = open(port, 'http/1.1', () => socket.write(smallRequest));
  const end = (head: string): void => {
    mustBeOk(head);
    count += 1;
    socket.removeAllListeners('end').end();
    if (!isOver) connectAgain(port);
  };
  socket.on('data', createMessageReader({ end }));
}

function readEvents({ port, everyMs = 10 }: Order): void {
  const request = streamRequest(everyMs);
  open(port, 'http/1.1', (socket) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += String(chunk);
      let read = 0;
      for (const match of text.matchAll(sentAt)) {
        delays.push(sharedNow() - Number(match[1]));
        read = match.index + match[0].length;
      }
      const isEnd = text.endsWith('\r\n0\r\n\r\n');
      text = isEnd ? '' : text.slice(read);
      if (isEnd) socket.write(request);
    });
    socket.write(request);
  });
}

/** The first TLS message to a server, which is all that a relay parses. */
async function clientHello(servername: string): Promise<Buffer> {
  const [socket, other] = duplexPair();
  const tls = connectTls({ socket, servername }).on('error', () => undefined);
  const hello = await new Promise<Buffer>((resolve) => other.once('data', resolve));
  tls.destroy();
  return hello;
}

async function passThrough(port: number): Promise<void> {
  const hello = await clientHello(NOT_CAPTURED);
  const socket = keep(connectTcp(port, '127.0.0.1', () => socket.write(hello)));
  socket.on('data', (chunk) => (count += chunk.length));
}

const one = (): void => void (count += 1);
const bytes = (more: number): void => void (count += more);

/** The loads. Each function is called once per connection. */
const loads = {
  'pass through': ({ port }: Order) => void passThrough(port),
  'HTTP/1.1': ({ port }: Order) => askAgain(port, chatRequest, one),
  'HTTP/2': ({ port }: Order) =>
    void open(port, 'h2', (socket) => sendRequests(socket, STREAMS_AT_ONCE, one)),
  'large bodies': (order: Order) =>
    askAgain(order.port, bodyRequest(order.bytes ?? 0), () => undefined, bytes),
  connections: ({ port }: Order) => connectAgain(port),
  events: readEvents,
};

function usedBy(pid: number | null) {
  const seconds = performance.now() / 1000;
  if (pid === null) return { seconds, processor: 0, mainThread: 0 };
  return { seconds, processor: processorSeconds(pid), mainThread: processorSeconds(pid, pid) };
}

async function measure(order: Order, load: keyof typeof loads): Promise<Measured> {
  for (let i = 0; i < order.connections; i += 1) loads[load](order);
  await pause(WARM_UP_MS);
  count = 0;
  delays = [];
  const before = usedBy(order.pid);
  await pause(order.seconds * 1000);
  const after = usedBy(order.pid);
  isOver = true;
  // A connection that is cut off during its handshake would count as a rejected certificate.
  if (load === 'connections') while (sockets.size > 0) await pause(5);
  const sorted = delays.toSorted((a, b) => a - b);
  return {
    count: sorted.length || count,
    seconds: after.seconds - before.seconds,
    processor: after.processor - before.processor,
    mainThread: after.mainThread - before.mainThread,
    delays: sorted.length > 0 ? { p50: percentile(sorted, 50), p99: percentile(sorted, 99) } : null,
  };
}

async function readOneBody({ port, pid, bytes: size = 0 }: Order): Promise<Measured> {
  const before = usedBy(pid);
  await new Promise<void>((resolve) =>
    open(port, 'http/1.1', (socket) => {
      const end = (head: string): void => {
        mustBeOk(head);
        resolve();
      };
      socket.on('data', createMessageReader({ body: bytes, end }));
      socket.write(bodyRequest(size));
    }),
  );
  const after = usedBy(pid);
  return {
    count,
    seconds: after.seconds - before.seconds,
    processor: after.processor - before.processor,
    mainThread: after.mainThread - before.mainThread,
    delays: null,
  };
}

async function carryOut(order: Order): Promise<void> {
  isOver = false;
  count = 0;
  const { load } = order;
  const measured = await (load === 'one body' ? readOneBody(order) : measure(order, load));
  isOver = true;
  for (const socket of sockets) socket.destroy();
  process.send?.(measured);
}

process.on('message', (order: Order) => void carryOut(order));
process.on('disconnect', () => process.exit());
