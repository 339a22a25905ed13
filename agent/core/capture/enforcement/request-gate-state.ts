import type { HeldRequest, RequestHead } from './held-request.ts';
import type { SocketGate } from './socket-gate.ts';
import type { Reservation } from '../wire/copy-budget.ts';
import type { CopyBudget } from '../wire/exchange.ts';

export interface RequestGateOptions {
  /** Is a request with this head held until it was evaluated? Others go on at once. */
  holds: (head: RequestHead) => boolean;
  /** Of the body of one request. */
  maxBodyBytes: number;
  budget: CopyBudget;
  /**
   * What comes from the client, each byte once and before anything is made of it; on a WebSocket with
   * calls, its gate takes over.
   */
  onRead: (bytes: Uint8Array) => void;
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

export interface PendingResponse {
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
export interface Gate extends RequestGateOptions {
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

const continueResponse = new TextEncoder().encode('HTTP/1.1 100 Continue\r\n\r\n');

/** What we answer ourselves comes when everything before it was answered. */
export function sendDue(gate: Gate): void {
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

export function flush(gate: Gate): void {
  const bytes = gate.pending;
  gate.pending = [];
  bytes.forEach(gate.toServer);
}

/** Everything goes on as it comes, what is here first. */
export function open(gate: Gate): void {
  gate.state = 'open';
  gate.isWaiting = false;
  gate.upgrade = null;
  gate.hold.release();
  gate.pending.splice(0).forEach(gate.toServer);
  for (const bytes of gate.backlog.splice(0)) sendUnread(gate, bytes);
  gate.onResume();
}

/** Sends on what came from the client and was not read. */
export function sendUnread(gate: Gate, bytes: Uint8Array): void {
  if (!gate.socket) gate.onRead(bytes);
  gate.toServer(bytes);
}

export function giveUp(gate: Gate, error: unknown): void {
  if (gate.state !== 'gating') return;
  open(gate);
  gate.onGivenUp(error instanceof Error ? error.message : String(error));
}

export function drop(gate: Gate): void {
  gate.socket?.drop();
  gate.hold.release();
  gate.pending = [];
  gate.backlog = [];
  gate.isWaiting = false;
  gate.upgrade = null;
}
