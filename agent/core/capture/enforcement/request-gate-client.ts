import { concat } from './socket-frames.ts';
import type { RequestHead } from './held-request.ts';
import {
  forwardPending,
  type Gate,
  giveUp,
  type PendingRequest,
  sendReadyResponses,
  forwardUnparsed,
} from './request-gate-state.ts';
import { createReservation } from '../wire/copy-budget.ts';
import { listOf } from '../wire/headers.ts';
import { type Framing, requestFraming } from '../wire/http1-framing.ts';
import { parseRequestLine, type RequestLine } from '../wire/http1-head.ts';
import { createHttp1Parser, type Http1Parser } from '../wire/http1-parser.ts';
import { latin1 } from '../wire/latin1.ts';

const MAX_PIPELINED = 1000;

/** Parses the client's bytes, and holds or forwards them. */
export function readRequests(gate: Gate): (chunk: Uint8Array) => void {
  const requests = createRequestParser(gate);
  return (chunk) => {
    if (gate.isEvaluating || gate.upgrade) return void gate.backlog.push(chunk.slice());
    let at = 0;
    try {
      while (at < chunk.length && isReading(gate)) {
        const read = requests.read(chunk.subarray(at));
        const piece = chunk.subarray(at, at + read);
        at += read;
        gate.onRead(piece);
        forwardOrHold(gate, piece);
      }
    } catch (error) {
      gate.backlog.unshift(chunk.slice(at));
      return giveUp(gate, error);
    }
    const rest = chunk.subarray(at);
    if (rest.length === 0 || gate.state === 'closed') return;
    if (gate.state === 'open') forwardUnparsed(gate, rest);
    else gate.backlog.unshift(rest.slice());
  };
}

function createRequestParser(gate: Gate): Http1Parser {
  let requestLine: RequestLine = {
    method: '',
    target: '',
    authority: null,
    version: 'http/1.1',
  };
  return createHttp1Parser(
    {
      startLine: (line) => void (requestLine = parseRequestLine(line)),
      head: (headers) => beginRequest(gate, { ...requestLine, headers }),
      data: (bytes) => {
        if (gate.current?.disposition === 'held') storeBody(gate, gate.current, bytes);
      },
      end: () => {
        if (gate.current) gate.current.isComplete = true;
      },
    },
    { stopsBehindParts: true },
  );
}

function beginRequest(gate: Gate, head: RequestHead & RequestLine): Framing {
  const framing = requestFraming(head.version, head.headers);
  if (gate.unanswered.length >= MAX_PIPELINED)
    throw new Error('too many requests without an answer');
  const isHeld = gate.holds(head);
  const expectsContinue =
    head.version === 'http/1.1' && listOf(head.headers, 'expect').includes('100-continue');
  gate.current = {
    head,
    id: gate.count,
    disposition: isHeld ? 'held' : 'forwarded',
    isComplete: false,
    isBodyTruncated: false,
    body: [],
    size: 0,
    continueState: isHeld && expectsContinue ? 'due' : 'no',
    response: null,
    socket: isHeld ? null : (gate.openSocket?.(head, gate.count) ?? null),
    isForwarded: false,
  };
  gate.count += 1;
  gate.unanswered.push(gate.current);
  return framing;
}

function storeBody(
  { maxBodyBytes, hold }: Pick<Gate, 'maxBodyBytes' | 'hold'>,
  held: PendingRequest,
  bytes: Uint8Array,
): void {
  const room = maxBodyBytes - held.size;
  const kept = bytes.subarray(0, room);
  // Counted twice: the same bytes are also in `pending`.
  held.isBodyTruncated ||= kept.length < bytes.length || !hold.take(2 * kept.length);
  held.body.push(kept.slice());
  held.size += kept.length;
}

/**
 * Assigns a parsed piece. The parser stops after each head and message, so a piece is part of one
 * head or one body.
 */
function forwardOrHold(gate: Gate, piece: Uint8Array): void {
  const { current } = gate;
  if (current?.disposition === 'discarded') return endRequest(gate);
  if (current?.socket && !current.isForwarded) {
    current.isForwarded = true;
    gate.toServer(withoutExtensions(concat([...gate.pending.splice(0), piece])));
    return endRequest(gate);
  }
  if (current?.disposition === 'forwarded' && gate.pending.length === 0) {
    gate.toServer(piece);
    return endRequest(gate);
  }
  gate.pending.push(piece.slice());
  if (!current) return;
  if (current.disposition === 'forwarded') {
    forwardPending(gate);
    return endRequest(gate);
  }
  sendReadyResponses(gate);
  if (current.isComplete || current.isBodyTruncated) evaluate(gate, current);
}

export function evaluate(gate: Gate, { head, id, body, isComplete }: PendingRequest): void {
  gate.isEvaluating = true;
  gate.onHeld({ ...head, id, body, truncated: !isComplete });
}

function endRequest(gate: Gate): void {
  const { current } = gate;
  if (!current?.isComplete) return;
  if (current.socket && gate.unanswered.includes(current)) gate.upgrade = current;
  gate.current = null;
}

const isReading = ({ state, isEvaluating, upgrade }: Gate): boolean =>
  state === 'gating' && !isEvaluating && !upgrade;

/** Continues after an evaluation, or after the response to a WebSocket request. */
export function resumeReading(gate: Gate, fromClient: (chunk: Uint8Array) => void): void {
  gate.isEvaluating = false;
  gate.upgrade = null;
  gate.hold.release();
  gate.hold = createReservation(gate.budget);
  endRequest(gate);
  while (gate.backlog.length > 0 && isReading(gate)) {
    const [next] = gate.backlog.splice(0, 1);
    if (next) fromClient(next);
  }
  gate.onResume();
}

const extensions = /^sec-websocket-extensions[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/**
 * Removes extensions from the head of a WebSocket request: a compressed message refers to earlier
 * ones, so the server could not decompress the messages after a refused one (RFC 7692, 7.2.3).
 */
function withoutExtensions(head: Uint8Array): Uint8Array {
  const text = latin1(head, 0, head.length);
  const rest = text.replace(extensions, '');
  return Uint8Array.from(rest, (character) => character.charCodeAt(0));
}
