import type { ObserverOptions, ProtocolObserver } from './exchange.ts';
import type { PendingExchanges } from './pending-exchanges.ts';
import { createFrameReader, frameFlag, type FrameHeader, frameType } from './http2-frames.ts';
import { createHeaderBlocks, type HeaderBlocks } from './http2-header-blocks.ts';
import { createHttp2Streams, type Http2Streams, type Side } from './http2-streams.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEADER_TABLE_SIZE = 1; // SETTINGS_HEADER_TABLE_SIZE

/** Observes the frames of both sides of an HTTP/2 connection (RFC 9113). */
export function createHttp2Observer(
  exchanges: PendingExchanges,
  options: Pick<ObserverOptions, 'onExcluded'>,
): ProtocolObserver {
  const streams = createHttp2Streams(exchanges, options.onExcluded);
  const blocks = {
    client: createBlocks('client', streams),
    server: createBlocks('server', streams),
  };
  const client = createSide('client', { streams, own: blocks.client, other: blocks.server });
  const server = createSide('server', { streams, own: blocks.server, other: blocks.client });
  let prefaceBytes = 0;

  /** Skips the connection preface (RFC 9113, 3.4). */
  function withoutPreface(chunk: Uint8Array): Uint8Array {
    let at = 0;
    for (; at < chunk.length && prefaceBytes < PREFACE.length; at++) {
      const isExpected = chunk[at] === PREFACE.charCodeAt(prefaceBytes++);
      if (!isExpected) throw new Error('no HTTP/2 connection preface');
    }
    return at === 0 ? chunk : chunk.subarray(at);
  }

  return {
    fromClient: (chunk) => client(withoutPreface(chunk)),
    fromServer: server,
    serverEnded: () => undefined,
  };
}

/** A pushed response has no request: its header block only updates the dynamic table. */
function createBlocks(side: Side, streams: Http2Streams): HeaderBlocks {
  return createHeaderBlocks((frame, headers) => {
    if (frame.type === frameType.pushPromise) return;
    const isEnd = (frame.flags & frameFlag.endStream) !== 0;
    streams.headers(side, frame.streamId, headers, isEnd);
  });
}

interface SideParts {
  streams: Http2Streams;
  own: HeaderBlocks;
  other: HeaderBlocks;
}

function createSide(side: Side, { streams, own, other }: SideParts): (chunk: Uint8Array) => void {
  let hasSettings = false;

  function begin(frame: FrameHeader): void {
    if (!hasSettings && frame.type !== frameType.settings)
      throw new Error('the first frame is not SETTINGS');
    hasSettings = true;
    own.check(frame);
    checkStreamId(frame);
  }

  function whole(frame: FrameHeader, payload: Uint8Array): void {
    if (frame.type === frameType.settings)
      for (const size of tableSizes(payload)) other.allowTableSize(size);
    else if (frame.type === frameType.resetStream) streams.reset(frame.streamId);
    else if (frame.type === frameType.goAway) {
      if (side === 'server') streams.goAway(numberAt(payload, 0) & 0x7fff_ffff);
    } else own.add(frame, payload);
  }

  return createFrameReader({
    begin,
    data: (frame, bytes) => streams.data(side, frame.streamId, bytes),
    endData(frame) {
      if (frame.flags & frameFlag.endStream) streams.end(side, frame.streamId);
    },
    whole,
  });
}

const connectionTypes: ReadonlySet<number> = new Set([frameType.settings, frameType.goAway]);
const streamTypes: ReadonlySet<number> = new Set([
  frameType.data,
  frameType.headers,
  frameType.resetStream,
  frameType.pushPromise,
  frameType.continuation,
]);

function checkStreamId({ type, streamId }: FrameHeader): void {
  const isMisplaced = streamId === 0 ? streamTypes.has(type) : connectionTypes.has(type);
  if (isMisplaced) throw new Error('a frame that does not belong on its stream');
}

/** The header table sizes in a SETTINGS frame (RFC 9113, 6.5.2); an ACK has none. */
function tableSizes(payload: Uint8Array): number[] {
  if (payload.length % 6 !== 0) throw new Error('malformed SETTINGS');
  const sizes: number[] = [];
  for (let at = 0; at < payload.length; at += 6) {
    const name = numberAt(payload, at) >>> 16;
    if (name === HEADER_TABLE_SIZE) sizes.push(numberAt(payload, at + 2));
  }
  return sizes;
}

/** A four-byte number of the payload. */
function numberAt(payload: Uint8Array, at: number): number {
  if (at + 4 > payload.length) throw new Error('a truncated frame');
  return new DataView(payload.buffer, payload.byteOffset).getUint32(at);
}
