import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  sensitiveHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import {
  isLlmCall,
  type PolicyRefusal,
  refusalContent,
} from '#agent/core/capture/enforcement/refusal.ts';
import type { HeldRequest, RequestHead } from '#agent/core/capture/enforcement/held-request.ts';
import { createReservation } from '#agent/core/capture/wire/copy-budget.ts';
import type { Headers } from '#agent/core/capture/wire/exchange.ts';
import { listOf } from '#agent/core/capture/wire/headers.ts';
import { requestHead, requestHeaders } from '#agent/core/capture/wire/http2-head.ts';
import { type GatedTap, type GateOptions, MAX_BODY_BYTES } from './gated-relay.ts';

/** A request as received; its body has not been read yet. */
export interface IncomingStream {
  stream: ServerHttp2Stream;
  headers: IncomingHttpHeaders;
  flags: number;
  rawHeaders: string[];
}

/** A request with its trailers, once they were received. */
interface PendingStream extends IncomingStream {
  trailers: () => IncomingHttpHeaders;
}

/** The part of a held request's body that was read. */
interface HeldBody {
  chunks: Buffer[];
  /** Whether `chunks` is the whole body. */
  isComplete: boolean;
  /** Whether the client has received `100 Continue`, and must not receive it again. */
  isContinued: boolean;
}

const { NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR, NGHTTP2_CANCEL } = constants;
const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Forwards a request to the server, or answers it if it is a call that a policy refuses. */
export function relayStream(
  request: IncomingStream,
  upstream: ClientHttp2Session,
  tap: GatedTap,
  gating: GateOptions,
): void {
  const { stream } = request;
  stream.on('error', () => undefined);
  // A client may reset a stream with the bytes that open it.
  if (stream.closed || stream.destroyed) return;
  const rawHeaders = withAuthority(request.rawHeaders);
  const incoming = { ...request, rawHeaders, trailers: trailersOf(stream) };
  const head = headOf(incoming.rawHeaders);
  if (!head || !gating.isEnabled() || !isLlmCall(gating.host, head))
    return forwardRequest(incoming, upstream);
  void holdRequest(incoming, head, gating)
    .then(({ body, refusal }) => {
      if (stream.closed || stream.destroyed) return;
      if (!refusal) return forwardRequest(incoming, upstream, body);
      tap.refused(stream.id ?? 0);
      refuse(stream, refusalContent(gating.host, head.target, refusal), body);
    })
    .catch(() => stream.close(NGHTTP2_INTERNAL_ERROR));
}

/**
 * Adds `:authority` from `host`: without it, Node would send the connection's host and ignore
 * `host`.
 */
function withAuthority(rawHeaders: string[]): string[] {
  const pairs = pairsOf(rawHeaders);
  const host = pairs.find(([name]) => name === 'host')?.[1];
  const isNamed = host === undefined || pairs.some(([name]) => name === ':authority');
  return isNamed ? rawHeaders : [':authority', host, ...rawHeaders];
}

/** Returns null for an invalid request, which is left to the server to refuse. */
function headOf(rawHeaders: readonly string[]): RequestHead | null {
  try {
    const block = pairsOf(rawHeaders);
    const authority = block.find(([name]) => name === ':authority')?.[1] ?? null;
    const { method, target } = requestHead(block);
    return { version: 'h2', method, target, authority, headers: requestHeaders(block) };
  } catch {
    return null;
  }
}

const pairsOf = (rawHeaders: readonly string[]): Headers =>
  rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as const] : []));

/** Reads the body, up to the limit, and evaluates the request. */
async function holdRequest(
  { stream, flags }: IncomingStream,
  head: RequestHead,
  { budget, evaluate }: GateOptions,
): Promise<{ body: HeldBody; refusal: PolicyRefusal | null }> {
  const reservation = createReservation(budget);
  stream.once('close', () => reservation.release());
  const isContinued = listOf(head.headers, 'expect').includes('100-continue');
  if (isContinued) stream.additionalHeaders({ ':status': 100 });
  const body: HeldBody =
    flags & NGHTTP2_FLAG_END_STREAM
      ? { chunks: [], isComplete: true, isContinued }
      : { ...(await readBody(stream, (bytes) => reservation.take(bytes))), isContinued };
  const request: HeldRequest = {
    ...head,
    id: stream.id ?? 0,
    body: withinLimit(body.chunks),
    truncated: !body.isComplete,
  };
  const refusal = stream.closed ? null : await evaluate(request);
  reservation.release();
  return { body, refusal };
}

function readBody(
  stream: ServerHttp2Stream,
  reserve: (bytes: number) => boolean,
): Promise<Omit<HeldBody, 'isContinued'>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (isComplete: boolean): void => {
      stream.off('data', storeChunk).off('end', onComplete).off('close', onTruncated);
      stream.pause();
      resolve({ chunks, isComplete });
    };
    const storeChunk = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES || !reserve(chunk.length)) settle(false);
    };
    const onComplete = (): void => settle(true);
    const onTruncated = (): void => settle(false);
    stream.on('data', storeChunk).on('end', onComplete).on('close', onTruncated);
  });
}

/** Returns the chunks up to the limit, which the last chunk may exceed. */
function withinLimit(chunks: readonly Buffer[]): Uint8Array[] {
  let room = MAX_BODY_BYTES;
  return chunks.map((chunk) => {
    const kept = chunk.subarray(0, room);
    room -= kept.length;
    return kept;
  });
}

function refuse(
  stream: ServerHttp2Stream,
  { headers, content }: ReturnType<typeof refusalContent>,
  { isComplete }: HeldBody,
): void {
  stream.respond({ ':status': 403, ...headers });
  stream.end(content);
  // A client that is still sending may stop (RFC 9113, 8.1).
  if (!isComplete) stream.close(NGHTTP2_NO_ERROR);
  // A stream is destroyed, and no longer counted as open, only once its data was read.
  stream.resume();
}

function forwardRequest(
  incoming: PendingStream,
  upstream: ClientHttp2Session,
  held?: HeldBody,
): void {
  const { stream, headers, flags, rawHeaders, trailers } = incoming;
  const endStream = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
  const options = { endStream, waitForTrailers: !endStream };
  const request = sendOrReset(stream, () =>
    upstream.request(withSensitive(rawHeaders, headers), options),
  );
  if (!request) return;
  request.on('wantTrailers', () => sendOrReset(request, () => request.sendTrailers(trailers())));
  forwardResponse(request, stream, held);
  linkReset(stream, request);
  if (endStream) return;
  for (const chunk of held?.chunks ?? []) request.write(chunk);
  if (held?.isComplete) request.end();
  else stream.pipe(request);
}

function forwardResponse(
  request: ClientHttp2Stream,
  stream: ServerHttp2Stream,
  held?: HeldBody,
): void {
  request.on('headers', (headers) => {
    const isRepeated = held?.isContinued && headers[':status'] === 100;
    if (!isRepeated && !stream.headersSent && !stream.closed)
      sendOrReset(stream, () => stream.additionalHeaders(headers));
  });
  const trailers = trailersOf(request);
  stream.on('wantTrailers', () => {
    sendOrReset(stream, () => stream.sendTrailers(trailers()));
    // The trailers have been sent by then, and with them the end of the stream.
    setImmediate(() => stopUpload(request, stream));
  });
  request.on('response', (headers, flags, rawHeaders) => {
    if (stream.closed || stream.destroyed) return;
    const endStream = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    const options = { endStream, waitForTrailers: !endStream, sendDate: false };
    sendOrReset(stream, () => stream.respond(withSensitive(rawHeaders, headers), options));
    if (stream.closed) return;
    if (endStream) request.resume();
    else request.pipe(stream);
  });
}

/** Node receives some headers that it refuses to send: connection headers, a status above 599. */
function sendOrReset<T>(
  stream: ClientHttp2Stream | ServerHttp2Stream,
  send: () => T,
): T | undefined {
  try {
    return send();
  } catch {
    stream.close(NGHTTP2_INTERNAL_ERROR);
    return undefined;
  }
}

function trailersOf(stream: ClientHttp2Stream | ServerHttp2Stream): () => IncomingHttpHeaders {
  let trailers: IncomingHttpHeaders = {};
  stream.on('trailers', (received: IncomingHttpHeaders) => void (trailers = received));
  return () => trailers;
}

/** Resets a stream when the other side resets it, for the same reason. */
function linkReset(stream: ServerHttp2Stream, request: ClientHttp2Stream): void {
  let isAnswered = false;
  request.on('end', () => (isAnswered = true)).on('error', () => undefined);
  request.on('close', () => {
    if (stream.closed) return;
    if (isAnswered && !request.rstCode) stopUpload(request, stream);
    // A request that was not sent may be retried on another connection.
    else stream.close(request.id === undefined ? NGHTTP2_REFUSED_STREAM : codeOf(request));
  });
  stream.on('close', () => {
    if (!request.closed) request.close(stream.rstCode || NGHTTP2_CANCEL);
  });
}

/** A server that has answered may not need the rest of the request (RFC 9113, 8.1). */
function stopUpload(request: ClientHttp2Stream, stream: ServerHttp2Stream): void {
  const isUploading = !stream.readableEnded && !stream.endAfterHeaders;
  if (!request.closed || !stream.writableFinished || !isUploading) return;
  stream.close(NGHTTP2_NO_ERROR);
  stream.unpipe(request); // a pipe would pause the stream once the request is closed
  stream.resume();
}

const codeOf = ({ rstCode }: ClientHttp2Stream): number => rstCode || NGHTTP2_INTERNAL_ERROR;

/**
 * Keeps headers marked as sensitive, which must not be added to a compression table (RFC 7541,
 * 7.1.3).
 */
const withSensitive = (rawHeaders: string[], headers: IncomingHttpHeaders): string[] =>
  Object.assign(rawHeaders, {
    [sensitiveHeaders]: (headers as { [sensitiveHeaders]?: string[] })[sensitiveHeaders] ?? [],
  });
