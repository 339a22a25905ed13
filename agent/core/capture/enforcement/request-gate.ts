import { evaluate, goOn, readRequests } from './request-gate-client.ts';
import { readResponses } from './request-gate-server.ts';
import { drop, flush, type Gate, type RequestGateOptions, sendDue } from './request-gate-state.ts';
import { createReservation } from '../wire/copy-budget.ts';

/**
 * Gates an HTTP/1 connection between client and server. Bytes are forwarded unchanged. A refused
 * request is not forwarded, and is answered in its turn.
 */
export interface RequestGate {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  /** Evaluates the held part of a request whose client has ended. */
  clientEnded: () => void;
  /** The server will answer no more requests. */
  serverEnded: () => void;
  /** Whether an evaluation is pending. */
  isWaiting: () => boolean;
  /** Whether the client's bytes are being stored, so that reading should pause. */
  isKeeping: () => boolean;
  pass: () => void;
  /**
   * `answer` is a complete HTTP/1.1 response; `keepAlive` says whether it leaves the connection
   * open.
   */
  refuse: (answer: Uint8Array, keepAlive: boolean) => void;
  /** Discards all stored bytes: the connection has ended. */
  drop: () => void;
}

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
