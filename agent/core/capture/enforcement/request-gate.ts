import { createHold, type Hold } from '../wire/copy-budget.ts';
import type { CopyBudget, Headers } from '../wire/exchange.ts';
import { listOf } from '../wire/headers.ts';
import { type Framing, requestFraming, responseFraming } from '../wire/http1-framing.ts';
import { parseRequestLine, parseStatusLine, type RequestLine } from '../wire/http1-head.ts';
import { createHttp1Parser } from '../wire/http1-parser.ts';

export interface RequestHead extends RequestLine {
  headers: Headers;
}

/** A request of which nothing has gone on to the server. */
export interface HeldRequest extends RequestHead {
  /** Counts the requests of the connection, as `ObservedExchange` does. */
  id: number;
  /** Without chunked framing. */
  body: Uint8Array[];
  /** The body goes on behind that. */
  truncated: boolean;
}

export interface RequestGateOptions {
  /** Is a request with this head held until it was judged? Others go on at once. */
  holds: (head: RequestHead) => boolean;
  /** Of the body of one request. */
  mostBodyBytes: number;
  budget: CopyBudget;
  toServer: (bytes: Uint8Array) => void;
  toClient: (bytes: Uint8Array) => void;
  /** What is held is to be judged: `pass` or `refuse` is called later, once. */
  onHeld: (request: HeldRequest) => void;
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
  /** What is held of a request is judged as it is. */
  clientEnded: () => void;
  /** Something is being judged: what comes from the client is kept, so better nothing does. */
  isWaiting: () => boolean;
  pass: () => void;
  /** `answer` is a whole HTTP/1.1 response; `keepAlive`: it leaves the connection open. */
  refuse: (answer: Uint8Array, keepAlive: boolean) => void;
  /** Forgets what it holds; the connection is over. */
  drop: () => void;
}

interface Turn {
  head: RequestHead;
  id: number;
  fate: 'flows' | 'held' | 'discarded';
  isComplete: boolean;
  isFull: boolean;
  body: Uint8Array[];
  size: number;
  /** The client waits for a `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
  continues: 'no' | 'due' | 'said';
  answer: { bytes: Uint8Array; keepAlive: boolean } | null;
}

const mostPipelined = 1000;

const continueAnswer = new TextEncoder().encode('HTTP/1.1 100 Continue\r\n\r\n');

export function createRequestGate(options: RequestGateOptions): RequestGate {
  const { holds, mostBodyBytes, budget, toServer, toClient } = options;
  /** Came and has not gone on: the beginning of a head, or what is held. */
  let pending: Uint8Array[] = [];
  /** Came while something was judged. */
  let backlog: Uint8Array[] = [];
  let hold: Hold = createHold(budget);
  let turn: Turn | null = null;
  const unanswered: Turn[] = [];
  let count = 0;
  let isWaiting = false;
  let state: 'gating' | 'open' | 'closed' = 'gating';
  let requestLine: RequestLine = { method: '', target: '', version: 'http/1.1' };
  let statusLine = { status: 0, version: requestLine.version };
  /** Kept until the status is known: a client that got `100 Continue` from us gets no second one. */
  let answerHead: Uint8Array[] = [];
  let isHeadOver = false;

  const requests = createHttp1Parser(
    {
      startLine: (line) => void (requestLine = parseRequestLine(line)),
      head: beginTurn,
      data: (bytes) => {
        if (turn?.fate === 'held') keepBody(turn, bytes);
      },
      end: () => {
        if (turn) turn.isComplete = true;
      },
    },
    { stopsBehindParts: true },
  );
  const responses = createHttp1Parser(
    {
      startLine: (line) => void (statusLine = parseStatusLine(line)),
      head: beginResponse,
      data: () => undefined,
      end: () => void unanswered.shift(),
    },
    { stopsBehindParts: true },
  );

  function beginTurn(headers: Headers): Framing {
    const framing = requestFraming(requestLine.version, headers);
    if (unanswered.length >= mostPipelined) throw new Error('too many requests without an answer');
    const head = { ...requestLine, headers };
    const isHeld = holds(head);
    const expects =
      head.version === 'http/1.1' && listOf(headers, 'expect').includes('100-continue');
    turn = {
      head,
      id: count++,
      fate: isHeld ? 'held' : 'flows',
      isComplete: false,
      isFull: false,
      body: [],
      size: 0,
      continues: isHeld && expects ? 'due' : 'no',
      answer: null,
    };
    unanswered.push(turn);
    return framing;
  }

  function keepBody(held: Turn, bytes: Uint8Array): void {
    const room = mostBodyBytes - held.size;
    const kept = bytes.subarray(0, room);
    // As much again is pending.
    held.isFull ||= kept.length < bytes.length || !hold.take(2 * kept.length);
    held.body.push(kept.slice());
    held.size += kept.length;
  }

  function beginResponse(headers: Headers): Framing {
    const [asked] = unanswered;
    if (!asked || asked.fate !== 'flows') throw new Error('an answer without a request');
    const framing = responseFraming(asked.head.method, statusLine, headers);
    isHeadOver = true;
    if (framing.kind === 'switch') open();
    return framing;
  }

  /** Everything goes on as it comes, what is here first. */
  function open(): void {
    state = 'open';
    isWaiting = false;
    hold.release();
    const waiting = [...pending.splice(0), ...backlog.splice(0)];
    waiting.forEach(toServer);
  }

  function giveUp(error: unknown): void {
    if (state !== 'gating') return;
    open();
    options.onGivenUp(error instanceof Error ? error.message : String(error));
  }

  function isReading(): boolean {
    return state === 'gating' && !isWaiting;
  }

  function fromClient(chunk: Uint8Array): void {
    if (isWaiting) return void backlog.push(chunk.slice());
    let at = 0;
    try {
      while (at < chunk.length && isReading()) {
        const read = requests.read(chunk.subarray(at));
        const piece = chunk.subarray(at, at + read);
        at += read;
        place(piece);
      }
    } catch (error) {
      backlog.unshift(chunk.slice(at));
      return giveUp(error);
    }
    const rest = chunk.subarray(at);
    if (rest.length === 0 || state === 'closed') return;
    if (state === 'open') toServer(rest);
    else backlog.unshift(rest.slice());
  }

  /** The parser stops behind heads and messages: a piece is part of one head, or of one body. */
  function place(piece: Uint8Array): void {
    if (turn?.fate === 'discarded') return endTurn();
    if (turn?.fate === 'flows' && pending.length === 0) {
      toServer(piece);
      return endTurn();
    }
    pending.push(piece.slice());
    if (!turn) return;
    if (turn.fate === 'flows') {
      flush();
      return endTurn();
    }
    sayWhatIsDue();
    if (turn.isComplete || turn.isFull) judge(turn);
  }

  function judge({ head, id, body, isComplete }: Turn): void {
    isWaiting = true;
    options.onHeld({ ...head, id, body, truncated: !isComplete });
  }

  function flush(): void {
    const bytes = pending;
    pending = [];
    bytes.forEach(toServer);
  }

  function endTurn(): void {
    if (turn?.isComplete) turn = null;
  }

  function handOnAnswerHead(first: Turn, piece: Uint8Array): void {
    answerHead.push(piece.slice());
    if (!isHeadOver) return;
    const pieces = answerHead.splice(0);
    if (statusLine.status === 100) return;
    if (statusLine.status > 199) first.continues = 'no';
    pieces.forEach(toClient);
  }

  /** What we answer ourselves comes when everything before it was answered. */
  function sayWhatIsDue(): void {
    for (let first = unanswered[0]; first && state === 'gating'; first = unanswered[0]) {
      if (first.continues === 'due' && !first.isComplete && !first.answer) {
        first.continues = 'said';
        toClient(continueAnswer);
      }
      if (!first.answer) return;
      unanswered.shift();
      toClient(first.answer.bytes);
      if (first.answer.keepAlive) continue;
      state = 'closed';
      drop();
      options.onClosed();
    }
  }

  function goOn(): void {
    isWaiting = false;
    hold.release();
    hold = createHold(budget);
    endTurn();
    while (backlog.length > 0 && isReading()) {
      const [next] = backlog.splice(0, 1);
      if (next) fromClient(next);
    }
  }

  function drop(): void {
    hold.release();
    pending = [];
    backlog = [];
    isWaiting = false;
  }

  return {
    fromClient,
    fromServer(chunk) {
      let at = 0;
      try {
        while (at < chunk.length && state === 'gating') {
          const [first] = unanswered;
          isHeadOver = false;
          const read = responses.read(chunk.subarray(at));
          const piece = chunk.subarray(at, at + read);
          at += read;
          if (first?.continues === 'said') handOnAnswerHead(first, piece);
          else toClient(piece);
          sayWhatIsDue();
        }
      } catch (error) {
        giveUp(error);
      }
      if (at === chunk.length || state !== 'open') return;
      for (const piece of answerHead.splice(0)) toClient(piece);
      toClient(chunk.subarray(at));
    },
    clientEnded() {
      if (turn?.fate === 'held' && !isWaiting) judge(turn);
      else if (!isWaiting) flush();
    },
    isWaiting: () => isWaiting,
    pass() {
      if (!isWaiting || !turn) return;
      turn.fate = 'flows';
      turn.body = [];
      flush();
      goOn();
    },
    refuse(bytes, keepAlive) {
      if (!isWaiting || !turn) return;
      turn.fate = 'discarded';
      turn.body = [];
      turn.answer = { bytes, keepAlive };
      pending = [];
      sayWhatIsDue();
      if (state === 'gating') goOn();
    },
    drop,
  };
}
