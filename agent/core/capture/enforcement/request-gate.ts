import { evaluate, resumeReading, readRequests } from './request-gate-client.ts';
import { readResponses } from './request-gate-server.ts';
import {
  discard,
  forwardPending,
  type Gate,
  type RequestGateOptions,
  sendReadyResponses,
} from './request-gate-state.ts';
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
  isBuffering: () => boolean;
  pass: () => void;
  /**
   * `response` is a complete HTTP/1.1 response; `keepAlive` says whether it leaves the connection
   * open.
   */
  refuse: (response: Uint8Array, keepAlive: boolean) => void;
  /** Discards all stored bytes: the connection has ended. */
  drop: () => void;
}

export function createRequestGate(options: RequestGateOptions): RequestGate {
  const gate: Gate = {
    ...options,
    state: 'gating',
    isEvaluating: false,
    pending: [],
    backlog: [],
    hold: createReservation(options.budget),
    current: null,
    unanswered: [],
    upgrade: null,
    count: 0,
    socket: null,
  };
  const fromClient = readRequests(gate);
  const endUpgrade = (): void => {
    if (gate.upgrade) resumeReading(gate, fromClient);
  };
  const isWaiting = (): boolean => gate.isEvaluating || gate.socket?.isWaiting() === true;
  return {
    fromClient,
    fromServer: readResponses(gate, endUpgrade),
    clientEnded() {
      if (gate.current?.disposition === 'held' && !gate.isEvaluating) evaluate(gate, gate.current);
      else if (!gate.isEvaluating) forwardPending(gate);
    },
    serverEnded: endUpgrade,
    isWaiting,
    isBuffering: () => isWaiting() || (gate.upgrade !== null && gate.backlog.length > 0),
    pass() {
      if (!gate.isEvaluating || !gate.current) return;
      gate.current.disposition = 'forwarded';
      gate.current.body = [];
      forwardPending(gate);
      resumeReading(gate, fromClient);
    },
    refuse(bytes, keepAlive) {
      if (!gate.isEvaluating || !gate.current) return;
      gate.current.disposition = 'discarded';
      gate.current.body = [];
      gate.current.response = { bytes, keepAlive };
      gate.pending = [];
      sendReadyResponses(gate);
      if (gate.state === 'gating') resumeReading(gate, fromClient);
    },
    drop: () => discard(gate),
  };
}
