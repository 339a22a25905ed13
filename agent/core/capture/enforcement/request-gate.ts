import type { HeldRequest, RequestHead } from './held-request.ts';
import type { SocketGate } from './socket-gate.ts';
import { concat } from './socket-frames.ts';
import { withoutExtensions } from './upgrade-head.ts';
import { createReservation, type Reservation } from '../wire/copy-budget.ts';
import type { CopyBudget } from '../wire/exchange.ts';
import { listOf } from '../wire/headers.ts';
import { type Framing, requestFraming, responseFraming } from '../wire/http1-framing.ts';
import {
  parseRequestLine,
  parseStatusLine,
  type RequestLine,
  type StatusLine,
} from '../wire/http1-head.ts';
import { createHttp1Parser, type Http1Parser } from '../wire/http1-parser.ts';

export interface RequestGateOptions {
  /** Is a request with this head held until it was evaluated? Others go on at once. */
  holds: (head: RequestHead) => boolean;
  /** Of the body of one request. */
  maxBodyBytes: number;
  budget: CopyBudget;
  toServer: (bytes: Uint8Array) => void;
  toClient: (bytes: Uint8Array) => void;
  /** What is held is to be evaluated: `pass` or `refuse` is called later, once. */
  onHeld: (request: HeldRequest) => void;
  /** What takes over where the request is for a WebSocket on which calls are made. */
  openSocket?: (head: RequestHead, id: number) => SocketGate | null;
  /** What comes from the client may be kept no longer. */
  onResume: () => void;
  /** The last answer closes the connection: the server gets nothing more. */
  onClosed: () => void;
  /** From now on everything goes on as it comes. */
  onGivenUp: (reason: string) => void;
}

/**
 * Stands between client and server of an HTTP/1 connection. What goes on is byte for byte what came;
 * only a request that is refused goes nowhere, and is answered in its turn.
 */
export interface RequestGate {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  /** What is held of a request is evaluated as it is. */
  clientEnded: () => void;
  /** No request is answered any more. */
  serverEnded: () => void;
  /** Something is being evaluated. */
  isWaiting: () => boolean;
  /** What comes from the client is kept, so better nothing does. */
  isKeeping: () => boolean;
  pass: () => void;
  /** `answer` is a whole HTTP/1.1 response; `keepAlive`: it leaves the connection open. */
  refuse: (answer: Uint8Array, keepAlive: boolean) => void;
  /** The connection has become a WebSocket on which calls are held. */
  isSocket: () => boolean;
  /** Forgets what it holds; the connection is over. */
  drop: () => void;
}

interface PendingResponse {
  head: RequestHead;
  id: number;
  fate: 'flows' | 'held' | 'discarded';
  isComplete: boolean;
  isFull: boolean;
  body: Uint8Array[];
  size: number;
  /** The client waits for a `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
  continues: 'no' | 'due' | 'sent';
  answer: { bytes: Uint8Array; keepAlive: boolean } | null;
  /** Takes over if the server agrees. */
  socket: SocketGate | null;
  /** Its head has gone on. */
  isForwarded: boolean;
}

/** One connection. */
interface Gate extends RequestGateOptions {
  state: 'gating' | 'open' | 'closed';
  isWaiting: boolean;
  /** Came and has not gone on: the beginning of a head, or what is held. */
  pending: Uint8Array[];
  /** Came while something was evaluated, or behind a request for a WebSocket. */
  backlog: Uint8Array[];
  hold: Reservation;
  /** The request that the client is sending. */
  turn: PendingResponse | null;
  unanswered: PendingResponse[];
  /** Asks for a WebSocket and is not answered: its answer says what the bytes behind it are. */
  upgrade: PendingResponse | null;
  count: number;
  socket: SocketGate | null;
}

const MAX_PIPELINED = 1000;

const continueResponse = new TextEncoder().encode('HTTP/1.1 100 Continue\r\n\r\n');

export function createRequestGate(options: RequestGateOptions): RequestGate {
  const gate: Gate = {
    ...options,
    state: 'gating',
    isWaiting: false,
    pending: [],
    backlog: [],
    hold: createReservation(options.budget),
    turn: null,
    unanswered: [],
    upgrade: null,
    count: 0,
    socket: null,
  };
  const fromClient = readRequests(gate);
  const endUpgrade = (): void => {
    if (gate.upgrade) goOn(gate, fromClient);
  };
  const isWaiting = (): boolean => gate.isWaiting || gate.socket?.isWaiting() === true;
  return {
    fromClient,
    fromServer: readResponses(gate, endUpgrade),
    clientEnded() {
      if (gate.turn?.fate === 'held' && !gate.isWaiting) evaluate(gate, gate.turn);
      else if (!gate.isWaiting) flush(gate);
    },
    serverEnded: endUpgrade,
    isWaiting,
    isKeeping: () => isWaiting() || (gate.upgrade !== null && gate.backlog.length > 0),
    isSocket: () => gate.socket !== null,
    pass() {
      if (!gate.isWaiting || !gate.turn) return;
      gate.turn.fate = 'flows';
      gate.turn.body = [];
      flush(gate);
      goOn(gate, fromClient);
    },
    refuse(bytes, keepAlive) {
      if (!gate.isWaiting || !gate.turn) return;
      gate.turn.fate = 'discarded';
      gate.turn.body = [];
      gate.turn.answer = { bytes, keepAlive };
      gate.pending = [];
      sendDue(gate);
      if (gate.state === 'gating') goOn(gate, fromClient);
    },
    drop: () => drop(gate),
  };
}

/** What comes from the client: read, and held or passed on. */
function readRequests(gate: Gate): (chunk: Uint8Array) => void {
  const requests = createRequestParser(gate);
  return (chunk) => {
    if (gate.isWaiting || gate.upgrade) return void gate.backlog.push(chunk.slice());
    let at = 0;
    try {
      while (at < chunk.length && isReading(gate)) {
        const read = requests.read(chunk.subarray(at));
        const piece = chunk.subarray(at, at + read);
        at += read;
        place(gate, piece);
      }
    } catch (error) {
      gate.backlog.unshift(chunk.slice(at));
      return giveUp(gate, error);
    }
    const rest = chunk.subarray(at);
    if (rest.length === 0 || gate.state === 'closed') return;
    if (gate.state === 'open') gate.toServer(rest);
    else gate.backlog.unshift(rest.slice());
  };
}

function createRequestParser(gate: Gate): Http1Parser {
  let requestLine: RequestLine = { method: '', target: '', version: 'http/1.1' };
  return createHttp1Parser(
    {
      startLine: (line) => void (requestLine = parseRequestLine(line)),
      head: (headers) => beginTurn(gate, { ...requestLine, headers }),
      data: (bytes) => {
        if (gate.turn?.fate === 'held') keepBody(gate, gate.turn, bytes);
      },
      end: () => {
        if (gate.turn) gate.turn.isComplete = true;
      },
    },
    { stopsBehindParts: true },
  );
}

function beginTurn(gate: Gate, head: RequestHead & RequestLine): Framing {
  const framing = requestFraming(head.version, head.headers);
  if (gate.unanswered.length >= MAX_PIPELINED)
    throw new Error('too many requests without an answer');
  const isHeld = gate.holds(head);
  const expects =
    head.version === 'http/1.1' && listOf(head.headers, 'expect').includes('100-continue');
  gate.turn = {
    head,
    id: gate.count,
    fate: isHeld ? 'held' : 'flows',
    isComplete: false,
    isFull: false,
    body: [],
    size: 0,
    continues: isHeld && expects ? 'due' : 'no',
    answer: null,
    socket: isHeld ? null : (gate.openSocket?.(head, gate.count) ?? null),
    isForwarded: false,
  };
  gate.count += 1;
  gate.unanswered.push(gate.turn);
  return framing;
}

function keepBody(
  { maxBodyBytes, hold }: Pick<Gate, 'maxBodyBytes' | 'hold'>,
  held: PendingResponse,
  bytes: Uint8Array,
): void {
  const room = maxBodyBytes - held.size;
  const kept = bytes.subarray(0, room);
  // As much again is pending.
  held.isFull ||= kept.length < bytes.length || !hold.take(2 * kept.length);
  held.body.push(kept.slice());
  held.size += kept.length;
}

/** The parser stops behind heads and messages: a piece is part of one head, or of one body. */
function place(gate: Gate, piece: Uint8Array): void {
  const { turn } = gate;
  if (turn?.fate === 'discarded') return endTurn(gate);
  if (turn?.socket && !turn.isForwarded) {
    turn.isForwarded = true;
    gate.toServer(withoutExtensions(concat([...gate.pending.splice(0), piece])));
    return endTurn(gate);
  }
  if (turn?.fate === 'flows' && gate.pending.length === 0) {
    gate.toServer(piece);
    return endTurn(gate);
  }
  gate.pending.push(piece.slice());
  if (!turn) return;
  if (turn.fate === 'flows') {
    flush(gate);
    return endTurn(gate);
  }
  sendDue(gate);
  if (turn.isComplete || turn.isFull) evaluate(gate, turn);
}

function evaluate(gate: Gate, { head, id, body, isComplete }: PendingResponse): void {
  gate.isWaiting = true;
  gate.onHeld({ ...head, id, body, truncated: !isComplete });
}

function endTurn(gate: Gate): void {
  const { turn } = gate;
  if (!turn?.isComplete) return;
  if (turn.socket && gate.unanswered.includes(turn)) gate.upgrade = turn;
  gate.turn = null;
}

/** What comes from the server goes on; it says which requests are answered. */
function readResponses(gate: Gate, endUpgrade: () => void): (chunk: Uint8Array) => void {
  const { unanswered } = gate;
  /** Kept until the status is known: a client that got `100 Continue` from us gets no second one. */
  const heldHead: Uint8Array[] = [];
  const head = { status: 0, isOver: false };
  const responses = createResponseParser(gate, head);

  const forwardHead = (first: PendingResponse, piece: Uint8Array): void => {
    heldHead.push(piece.slice());
    if (!head.isOver) return;
    const pieces = heldHead.splice(0);
    if (head.status === 100) return;
    if (head.status > 199) first.continues = 'no';
    pieces.forEach(gate.toClient);
  };

  return (chunk) => {
    let at = 0;
    try {
      while (at < chunk.length && gate.state === 'gating') {
        const [first] = unanswered;
        const { toClient } = gate;
        head.isOver = false;
        const read = responses.read(chunk.subarray(at));
        const piece = chunk.subarray(at, at + read);
        at += read;
        if (first?.continues === 'sent') forwardHead(first, piece);
        else toClient(piece);
        sendDue(gate);
        if (gate.upgrade && !unanswered.includes(gate.upgrade)) endUpgrade();
      }
    } catch (error) {
      giveUp(gate, error);
    }
    if (at === chunk.length || gate.state !== 'open') return;
    for (const piece of heldHead.splice(0)) gate.toClient(piece);
    gate.toClient(chunk.subarray(at));
  };
}

function createResponseParser(gate: Gate, read: { status: number; isOver: boolean }): Http1Parser {
  let statusLine: StatusLine = { status: 0, version: 'http/1.1' };
  return createHttp1Parser(
    {
      startLine: (line) => {
        statusLine = parseStatusLine(line);
        read.status = statusLine.status;
      },
      head: (headers) => {
        const [asked] = gate.unanswered;
        if (!asked || asked.fate !== 'flows') throw new Error('an answer without a request');
        const framing = responseFraming(asked.head.method, statusLine, headers);
        read.isOver = true;
        if (framing.kind === 'switch') switchProtocol(gate, statusLine, asked);
        return framing;
      },
      data: () => undefined,
      end: () => void gate.unanswered.shift(),
    },
    { stopsBehindParts: true },
  );
}

function switchProtocol(gate: Gate, { status }: StatusLine, { socket }: PendingResponse): void {
  if (socket && status === 101) {
    gate.socket = socket;
    gate.toServer = socket.fromClient;
    gate.toClient = socket.fromServer;
  }
  open(gate);
}

/** What we answer ourselves comes when everything before it was answered. */
function sendDue(gate: Gate): void {
  const { unanswered, toClient } = gate;
  for (let first = unanswered[0]; first && gate.state === 'gating'; first = unanswered[0]) {
    if (first.continues === 'due' && !first.isComplete && !first.answer) {
      first.continues = 'sent';
      toClient(continueResponse);
    }
    if (!first.answer) return;
    unanswered.shift();
    toClient(first.answer.bytes);
    if (first.answer.keepAlive) continue;
    gate.state = 'closed';
    drop(gate);
    gate.onClosed();
  }
}

const isReading = ({ state, isWaiting, upgrade }: Gate): boolean =>
  state === 'gating' && !isWaiting && !upgrade;

function flush(gate: Gate): void {
  const bytes = gate.pending;
  gate.pending = [];
  bytes.forEach(gate.toServer);
}

function goOn(gate: Gate, fromClient: RequestGate['fromClient']): void {
  gate.isWaiting = false;
  gate.upgrade = null;
  gate.hold.release();
  gate.hold = createReservation(gate.budget);
  endTurn(gate);
  while (gate.backlog.length > 0 && isReading(gate)) {
    const [next] = gate.backlog.splice(0, 1);
    if (next) fromClient(next);
  }
  gate.onResume();
}

/** Everything goes on as it comes, what is here first. */
function open(gate: Gate): void {
  gate.state = 'open';
  gate.isWaiting = false;
  gate.upgrade = null;
  gate.hold.release();
  [...gate.pending.splice(0), ...gate.backlog.splice(0)].forEach(gate.toServer);
  gate.onResume();
}

function giveUp(gate: Gate, error: unknown): void {
  if (gate.state !== 'gating') return;
  open(gate);
  gate.onGivenUp(error instanceof Error ? error.message : String(error));
}

function drop(gate: Gate): void {
  gate.socket?.drop();
  gate.hold.release();
  gate.pending = [];
  gate.backlog = [];
  gate.isWaiting = false;
  gate.upgrade = null;
}
