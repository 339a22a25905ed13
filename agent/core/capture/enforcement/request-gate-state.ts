import type { HeldRequest, RequestHead } from './held-request.ts';
import type { SocketGate } from './socket-gate.ts';
import type { Reservation } from '../wire/copy-budget.ts';
import type { CopyBudget } from '../wire/exchange.ts';

export interface RequestGateOptions {
  /** Whether a request with this head is held for evaluation. Others are forwarded at once. */
  holds: (head: RequestHead) => boolean;
  /** The limit of one request body. */
  maxBodyBytes: number;
  budget: CopyBudget;
  /**
   * Called once for each byte from the client, before it is parsed. On a WebSocket with calls, the
   * socket gate calls it instead.
   */
  onRead: (bytes: Uint8Array) => void;
  toServer: (bytes: Uint8Array) => void;
  toClient: (bytes: Uint8Array) => void;
  /**
   * Requests an evaluation of a held request: the receiver calls `pass` or `refuse` once, later.
   */
  onHeld: (request: HeldRequest) => void;
  /** Creates the gate of a requested WebSocket on which calls may be made. */
  openSocket?: (head: RequestHead, id: number) => SocketGate | null;
  /** The client's bytes are no longer stored: reading may resume. */
  onResume: () => void;
  /** The last response closes the connection: nothing more is sent to the server. */
  onClosed: () => void;
  /** The gate has given up: everything is forwarded unread from now on. */
  onGivenUp: (reason: string) => void;
}

export interface PendingRequest {
  head: RequestHead;
  id: number;
  disposition: 'forwarded' | 'held' | 'discarded';
  isComplete: boolean;
  isBodyTruncated: boolean;
  body: Uint8Array[];
  size: number;
  /** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
  continueState: 'no' | 'due' | 'sent';
  response: { bytes: Uint8Array; keepAlive: boolean } | null;
  /** Takes over if the server accepts the WebSocket. */
  socket: SocketGate | null;
  /** Whether the head was forwarded. */
  isForwarded: boolean;
}

/** The state of one connection. */
export interface Gate extends RequestGateOptions {
  state: 'gating' | 'open' | 'closed';
  isEvaluating: boolean;
  /** Bytes received but not forwarded: a partial head, or the held request. */
  pending: Uint8Array[];
  /** Bytes received during an evaluation, or after a WebSocket request. */
  backlog: Uint8Array[];
  hold: Reservation;
  /** The request that the client is sending. */
  current: PendingRequest | null;
  unanswered: PendingRequest[];
  /** A WebSocket request without a response, which decides the protocol of the bytes after it. */
  upgrade: PendingRequest | null;
  count: number;
  socket: SocketGate | null;
}

const continueResponse = new TextEncoder().encode('HTTP/1.1 100 Continue\r\n\r\n');

/** Sends the agent's own responses once all earlier requests are answered. */
export function sendReadyResponses(gate: Gate): void {
  const { unanswered, toClient } = gate;
  for (let first = unanswered[0]; first && gate.state === 'gating'; first = unanswered[0]) {
    if (first.continueState === 'due' && !first.isComplete && !first.response) {
      first.continueState = 'sent';
      toClient(continueResponse);
    }
    if (!first.response) return;
    unanswered.shift();
    toClient(first.response.bytes);
    if (first.response.keepAlive) continue;
    gate.state = 'closed';
    discard(gate);
    gate.onClosed();
  }
}

export function forwardPending(gate: Gate): void {
  const bytes = gate.pending;
  gate.pending = [];
  bytes.forEach(gate.toServer);
}

/** Stops gating: forwards stored bytes, then everything unread. */
export function stopGating(gate: Gate): void {
  gate.state = 'open';
  gate.isEvaluating = false;
  gate.upgrade = null;
  gate.hold.release();
  gate.pending.splice(0).forEach(gate.toServer);
  for (const bytes of gate.backlog.splice(0)) forwardUnparsed(gate, bytes);
  gate.onResume();
}

/** Forwards bytes from the client without parsing them. */
export function forwardUnparsed(gate: Gate, bytes: Uint8Array): void {
  if (!gate.socket) gate.onRead(bytes);
  gate.toServer(bytes);
}

export function giveUp(gate: Gate, error: unknown): void {
  if (gate.state !== 'gating') return;
  stopGating(gate);
  gate.onGivenUp(error instanceof Error ? error.message : String(error));
}

export function discard(gate: Gate): void {
  gate.socket?.drop();
  gate.hold.release();
  gate.pending = [];
  gate.backlog = [];
  gate.isEvaluating = false;
  gate.upgrade = null;
}
