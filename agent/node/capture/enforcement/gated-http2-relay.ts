import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import { Duplex } from 'node:stream';
import type { RelaySide } from '../relay.ts';
import type { GatedTap, GateOptions } from './gated-relay.ts';
import { relayStream } from './gated-http2-stream.ts';

/** The number of streams that the observer can follow. */
const MAX_STREAMS = 1000;
const STREAM_WINDOW = 1024 * 1024;
const CONNECTION_WINDOW = 16 * STREAM_WINDOW;

/**
 * Wider than the defaults, so that everything that client and server accept from each other can
 * pass.
 */
const limits = {
  maxHeaderListPairs: 2000,
  maxSendHeaderBlockLength: 256 * 1024,
  maxSessionMemory: 64,
  // The types of Node do not include this option yet.
  strictSingleValueFields: false,
};
const settings: Settings = {
  enablePush: false,
  initialWindowSize: STREAM_WINDOW,
  maxHeaderListSize: 256 * 1024,
};

/**
 * Like `gatedRelay`, for HTTP/2. Each stream of the client becomes a stream of a separate
 * connection to the server; an LLM call is forwarded only after it was checked. The two connections
 * have their own header tables and stream numbers, so a call that is held or refused does not delay
 * others.
 */
export async function gatedHttp2Relay(
  client: RelaySide,
  server: RelaySide,
  tap: GatedTap,
  gating: GateOptions,
): Promise<void> {
  const closed = Promise.all([untilClosed(client), untilClosed(server)]);
  const upstream = connect(`https://${gating.host}`, {
    ...limits,
    settings,
    createConnection: () => observedStream(server, { ended: tap.serverEnded }),
  });
  const observed = observedStream(client, {
    read: tap.fromClient,
    written: tap.fromServer,
    ended: tap.clientEnded,
  });
  const session = performServerHandshake(observed, {
    ...limits,
    settings: { ...settings, maxConcurrentStreams: 100 },
  });
  widenWindow(session);
  upstream.once('connect', () => widenWindow(upstream));
  mirrorStreamLimit(session, upstream);
  linkClosing(session, upstream);
  session.on(
    'stream',
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags, rawHeaders: string[]) =>
      relayStream({ stream, headers, flags, rawHeaders }, upstream, tap, gating),
  );
  await closed;
}

/**
 * Applies the server's limit on open streams to the client. A client is not offered WebSockets on
 * this connection (RFC 8441, 3): it opens them over HTTP/1.1, where their calls are held.
 */
function mirrorStreamLimit(session: ServerHttp2Session, upstream: ClientHttp2Session): void {
  upstream.on('remoteSettings', ({ maxConcurrentStreams = MAX_STREAMS }) => {
    if (!session.closed && !session.destroyed)
      session.settings({ maxConcurrentStreams: Math.min(maxConcurrentStreams, MAX_STREAMS) });
  });
}

/** When one side closes its session, its open streams may end, and the other side is closed too. */
function linkClosing(session: ServerHttp2Session, upstream: ClientHttp2Session): void {
  // An error is followed by `close`.
  session.on('error', () => undefined).on('close', () => upstream.destroy());
  upstream.on('error', () => undefined).on('close', () => session.close());
  upstream.on('goaway', () => session.close());
}

function widenWindow(session: ServerHttp2Session | ClientHttp2Session): void {
  if (!session.destroyed) session.setLocalWindowSize(CONNECTION_WINDOW);
}

interface StreamObserver {
  read?: (chunk: Buffer) => void;
  written?: (chunk: Buffer) => void;
  ended: () => void;
}

/** Wraps the stream of one side for a session, and passes its bytes to the observer. */
function observedStream({ stream }: RelaySide, observer: StreamObserver): Duplex {
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    observer.ended();
  };
  const observed = new Duplex({
    read: () => void stream.resume(),
    write: (chunk: Buffer, _, done) => {
      observer.written?.(chunk);
      stream.write(chunk, done);
    },
    final: (done) => void stream.end(done),
    destroy: (error, done) => {
      stream.destroy();
      done(error);
    },
  });
  stream.on('data', (chunk: Buffer) => {
    observer.read?.(chunk);
    if (!observed.push(chunk)) stream.pause();
  });
  stream.on('end', () => {
    end();
    observed.push(null);
  });
  stream.on('close', () => {
    end();
    observed.destroy();
  });
  stream.on('error', () => undefined);
  return observed;
}

const untilClosed = ({ stream }: RelaySide): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.once('close', () => resolve());
  });
