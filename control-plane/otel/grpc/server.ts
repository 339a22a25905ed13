import { randomUUID } from 'node:crypto';
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { otelRoutes } from '#contract/otel.ts';
import type { Context } from '../../context.ts';
import type { KeyCaller } from '../../http/caller.ts';
import { asRefusal } from '../../http/errors.ts';
import { type Export, exportLogs, exportMetrics, exportTraces } from '../receive-otlp.ts';
import { framed, readMessage } from './grpc-frame.ts';
import { OK, refusalHeaders, unimplemented } from './status.ts';

const CONTENT_TYPE = 'application/grpc';
/** The maximum time for the message of one call to arrive. */
const STREAM_TIMEOUT_MS = 60_000;
/** The maximum number of concurrent calls on one connection; exporters send one after another. */
const MAX_STREAMS = 100;

interface Method {
  route: (typeof otelRoutes)['exportTraces' | 'exportLogs' | 'exportMetrics'];
  handle: Export;
}

const methods: Readonly<Record<string, Method>> = {
  '/opentelemetry.proto.collector.trace.v1.TraceService/Export': {
    route: otelRoutes.exportTraces,
    handle: exportTraces,
  },
  '/opentelemetry.proto.collector.logs.v1.LogsService/Export': {
    route: otelRoutes.exportLogs,
    handle: exportLogs,
  },
  '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export': {
    route: otelRoutes.exportMetrics,
    handle: exportMetrics,
  },
};

export interface GrpcServer {
  server: Http2Server;
  /** Lets pending calls finish, for at most `ms`. */
  drain: (ms: number) => Promise<void>;
}

/**
 * Dependencies of the gRPC server in addition to the context. Keys are checked outside this folder.
 */
export interface GrpcOptions {
  callerOf: (headers: IncomingHttpHeaders, route: Method['route']) => Promise<KeyCaller>;
}

/**
 * OTLP over gRPC without TLS: the same exports as over HTTP, for exporters that support only gRPC.
 * All calls are unary, so each has one request and one response message.
 */
export function createGrpcServer(context: Context, options: GrpcOptions): GrpcServer {
  const { keepAliveSeconds, max } = context.config.connections;
  const server = createServer({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  server.maxConnections = max;
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    // Errors that concern a call are reported by its stream.
    session.on('error', () => session.destroy());
    session.setTimeout(keepAliveSeconds * 1000, () => session.close());
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', (error) => context.log.debug({ err: error }, 'gRPC call'));
    stream.setTimeout(STREAM_TIMEOUT_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    context.shutdown.follow(serve(context, options, stream, headers));
  });
  return { server, drain: (ms) => drain(server, sessions, ms) };
}

/** Answers one call. It never rejects, because errors are answered too. */
async function serve(
  context: Context,
  { callerOf }: GrpcOptions,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const start = performance.now();
  const path = headers[':path'] ?? '';
  const method = Object.hasOwn(methods, path) ? methods[path] : undefined;
  if (!headers['content-type']?.startsWith(CONTENT_TYPE)) return end(stream, { ':status': 415 });
  if (!method) return endCall(stream, unimplemented(path));
  const observe = (status: number): void =>
    context.metrics.observeRequest(method.route, status, performance.now() - start);
  try {
    const caller = await callerOf(headers, method.route);
    const bytes = await readMessage(stream, headers['grpc-encoding']?.toString());
    const body = { type: 'application/x-protobuf', bytes };
    const answer = await method.handle(context, caller, body);
    answerCall(stream, answer);
    observe(200);
  } catch (error) {
    const refusal = asRefusal(context, error, () => ({ id: randomUUID(), call: path }));
    endCall(stream, await refusalHeaders(refusal));
    observe(refusal.status);
  }
}

function answerCall(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.destroyed) return;
  stream.respond({ 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(OK));
  stream.end(framed(message));
}

/** Ends a call that is refused: it has no message, and its status is in the headers. */
const endCall = (stream: ServerHttp2Stream, status: OutgoingHttpHeaders): void =>
  end(stream, { 'content-type': CONTENT_TYPE, ...status });

function end(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (stream.destroyed) return;
  stream.respond(headers, { endStream: true });
  // This keeps the client from sending the rest of a message that is not read.
  stream.close(constants.NGHTTP2_NO_ERROR);
}

async function drain(
  server: Http2Server,
  sessions: ReadonlySet<ServerHttp2Session>,
  ms: number,
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const session of sessions) session.close();
  const timeout = new AbortController();
  await Promise.race([closed, pause(ms, undefined, { signal: timeout.signal })]);
  timeout.abort();
  for (const session of sessions) session.destroy();
}
