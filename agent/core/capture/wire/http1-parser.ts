import type { Headers } from './exchange.ts';
import type { Framing } from './http1-framing.ts';
import { createFieldLines } from './http1-head.ts';
import { latin1 } from './latin1.ts';
import { createLineReader } from './line-reader.ts';

/** The parts of one side's messages. */
export interface Http1Events {
  startLine: (line: string) => void;
  /** The head is complete. An interim response has no `end`. */
  head: (headers: Headers) => Framing;
  data: (bytes: Uint8Array) => void;
  end: (trailers: Headers) => void;
}

export interface Http1Parser {
  /**
   * Returns how many bytes of the chunk were parsed: fewer than all after a protocol switch, or if
   * the parser stops after each head and message.
   */
  read: (chunk: Uint8Array) => number;
  /** The side has ended, and with it a body without a length. */
  ended: () => void;
  /** Whether the parser is between two messages. */
  isIdle: () => boolean;
}

type LineState = 'start-line' | 'fields' | 'chunk-size' | 'chunk-end' | 'trailers';
type State = LineState | 'body' | 'chunk' | 'until-close' | 'switched';

/** The limit of a head, of trailers, or of a chunk's size line. */
const MAX_HEAD_BYTES = 65_536;
/** Most heads are shorter, and start at the start of a chunk. */
const INITIAL_HEAD_BYTES = 512;
/** Extensions (RFC 9112, 7.1.1) are skipped. */
const chunkSize = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;.*)?$/;

/** Parses the messages of one side of an HTTP/1 connection from chunks of any size. */
export function createHttp1Parser(
  events: Http1Events,
  { stopsBehindParts: stopsAfterParts = false }: { stopsBehindParts?: boolean } = {},
): Http1Parser {
  const lines = createLineReader(MAX_HEAD_BYTES);
  const fields = createFieldLines();
  let state: State = 'start-line';
  let left = 0; // remaining bytes of the body or chunk
  let isBehindPart = false;

  const onLine: Record<LineState, (line: string) => void> = {
    'start-line'(line) {
      if (line === '') return enterState('start-line'); // remains of a body (RFC 9112, 2.2)
      state = 'fields';
      events.startLine(line);
    },
    fields(line) {
      if (line !== '') return fields.add(line);
      begin(events.head(fields.take()));
    },
    'chunk-size'(line) {
      requireReturn();
      const digits = chunkSize.exec(line)?.[1];
      if (digits === undefined) throw new Error('a chunk without a size');
      left = Number.parseInt(digits, 16);
      enterState(left === 0 ? 'trailers' : 'chunk');
    },
    'chunk-end'(line) {
      requireReturn();
      if (line !== '') throw new Error('a chunk that is longer than its size');
      enterState('chunk-size');
    },
    trailers(line) {
      if (line !== '') return fields.add(line);
      end(fields.take());
    },
  };

  /**
   * Only lines of a head may end with LF alone (RFC 9112, 2.2). A server that reads an extension up to
   * CRLF would see other chunks, and another request behind them.
   */
  function requireReturn(): void {
    if (!lines.hasReturn()) throw new Error('a chunk without CRLF');
  }

  function enterState(entered: State): void {
    state = entered;
    lines.restart();
  }

  function begin(framing: Framing): void {
    isBehindPart = stopsAfterParts;
    if (framing.kind === 'length') {
      left = framing.bytes;
      if (left > 0) enterState('body');
      else end([]);
    } else enterState(stateOf[framing.kind]);
  }

  function end(trailers: Headers): void {
    isBehindPart = stopsAfterParts;
    enterState('start-line');
    events.end(trailers);
  }

  function readData(chunk: Uint8Array, at: number): number {
    const stop = state === 'until-close' ? chunk.length : Math.min(chunk.length, at + left);
    events.data(at === 0 && stop === chunk.length ? chunk : chunk.subarray(at, stop));
    left -= stop - at;
    if (state === 'body' && left === 0) end([]);
    if (state === 'chunk' && left === 0) enterState('chunk-end');
    return stop;
  }

  /**
   * Reads all available lines of a head at once, because decoding line by line takes much longer.
   */
  function readHead(chunk: Uint8Array, at: number): number {
    const text = latin1(chunk, at, Math.min(chunk.length, at + INITIAL_HEAD_BYTES));
    let from = 0;
    while (isHeadState(state) && !isStopped()) {
      const repeated = state === 'fields' ? fields.addRepeated(text, from) : 0;
      lines.count(repeated);
      from += repeated;
      if (repeated > 0) continue;
      const end = text.indexOf('\n', from);
      if (end === -1) break;
      lines.count(end + 1 - from);
      onLine[state](text.slice(from, text[end - 1] === '\r' ? end - 1 : end));
      from = end + 1;
    }
    return at + from;
  }

  function readPart(chunk: Uint8Array, at: number): number {
    if (!isLineState(state)) return readData(chunk, at);
    const read = isHeadState(state) && lines.isEmpty() ? readHead(chunk, at) : at;
    return read === at ? readLine(state, chunk, at) : read;
  }

  function readLine(state: LineState, chunk: Uint8Array, at: number): number {
    const line = lines.read(chunk, at);
    if (line !== null) onLine[state](line);
    return lines.next();
  }

  function isStopped(): boolean {
    return state === 'switched' || isBehindPart;
  }

  return {
    read(chunk) {
      let at = 0;
      isBehindPart = false;
      while (at < chunk.length && !isStopped()) at = readPart(chunk, at);
      return at;
    },
    ended() {
      if (state === 'until-close') end([]);
    },
    isIdle: () => state === 'start-line' && lines.isEmpty(),
  };
}

const stateOf = {
  chunked: 'chunk-size',
  'until-close': 'until-close',
  interim: 'start-line',
  switch: 'switched',
} as const satisfies Record<Exclude<Framing['kind'], 'length'>, State>;

function isHeadState(state: State): state is 'start-line' | 'fields' {
  return state === 'start-line' || state === 'fields';
}

function isLineState(state: State): state is LineState {
  return state !== 'body' && state !== 'chunk' && state !== 'until-close' && state !== 'switched';
}
