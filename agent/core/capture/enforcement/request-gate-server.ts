import {
  type Gate,
  giveUp,
  stopGating,
  type PendingRequest,
  sendReadyResponses,
} from './request-gate-state.ts';
import type { Headers } from '../wire/exchange.ts';
import { listOf } from '../wire/headers.ts';
import { responseFraming } from '../wire/http1-framing.ts';
import { parseStatusLine, type StatusLine } from '../wire/http1-head.ts';
import { createHttp1Parser, type Http1Parser } from '../wire/http1-parser.ts';

/** Forwards the server's bytes and notes which requests they answer. */
export function readResponses(gate: Gate, endUpgrade: () => void): (chunk: Uint8Array) => void {
  const { unanswered } = gate;
  /**
   * Held back until the status is known: a client that got `100 Continue` from the agent must not
   * get a second one.
   */
  const heldHead: Uint8Array[] = [];
  const head = { status: 0, isOver: false };
  const responses = createResponseParser(gate, head);

  const forwardHead = (first: PendingRequest, piece: Uint8Array): void => {
    heldHead.push(piece.slice());
    if (!head.isOver) return;
    const pieces = heldHead.splice(0);
    if (head.status === 100) return;
    if (head.status > 199) first.continueState = 'no';
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
        if (first?.continueState === 'sent') forwardHead(first, piece);
        else toClient(piece);
        sendReadyResponses(gate);
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
        const [request] = gate.unanswered;
        if (!request || request.disposition !== 'forwarded')
          throw new Error('an answer without a request');
        const framing = responseFraming(request.head.method, statusLine, headers);
        read.isOver = true;
        if (framing.kind === 'switch') switchProtocol(gate, statusLine, request, headers);
        return framing;
      },
      data: () => undefined,
      end: () => void gate.unanswered.shift(),
    },
    { stopsBehindParts: true },
  );
}

function switchProtocol(
  gate: Gate,
  { status }: StatusLine,
  { socket }: PendingRequest,
  headers: Headers,
): void {
  const isWebSocket = status === 101 && listOf(headers, 'upgrade').includes('websocket');
  if (socket && isWebSocket) {
    gate.socket = socket;
    gate.toServer = socket.fromClient;
    gate.toClient = socket.fromServer;
  }
  stopGating(gate);
  // In a tunnel or HTTP/2, calls may follow.
  if (!isWebSocket) gate.onGivenUp('it continues in another protocol');
}
