import { randomBytes } from 'node:crypto';
import type { HeldRequest, RequestHead } from '#agent/core/capture/enforcement/held-request.ts';
import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import {
  isLlmCall,
  keepsAlive,
  buildRefusalResponse,
} from '#agent/core/capture/enforcement/refusal.ts';
import {
  createRequestGate,
  type RequestGate,
} from '#agent/core/capture/enforcement/request-gate.ts';
import { socketCallsFor, type SocketCall } from '#agent/core/capture/enforcement/socket-calls.ts';
import { createSocketGate } from '#agent/core/capture/enforcement/socket-gate.ts';
import type { CopyBudget } from '#agent/core/capture/wire/exchange.ts';
import { forward, type RelayTap, type RelaySide } from '../relay.ts';

export interface GatedTap extends RelayTap {
  /**
   * Called when the agent itself answered this request; for a WebSocket, when calls were refused
   * and none has passed.
   */
  refused: (id: number) => void;
  /** Called when a call on this WebSocket has passed. */
  passed: (id: number) => void;
}

export interface GateOptions {
  host: string;
  /** Whether calls are still held. Requests in progress continue. */
  isEnabled: () => boolean;
  /**
   * Resolves to null if the call is allowed. Never rejects, and resolves before a client gives up.
   */
  evaluate: (request: HeldRequest) => Promise<PolicyRefusal | null>;
  budget: CopyBudget;
  onNotice: (line: string) => void;
}

/** The limit of one body, the same as for copies. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Like `relay`, for HTTP/1: an LLM call is held until it was checked, and then sent or refused. The
 * tap sees what the client sends and receives.
 */
export async function gatedRelay(
  client: RelaySide,
  server: RelaySide,
  tap: GatedTap,
  gating: GateOptions,
): Promise<void> {
  const resumeListeners = new Set<() => void>();
  const notifyResumed = (): void => resumeListeners.forEach((resume) => resume());
  const onResume = (resume: () => void): void => void resumeListeners.add(resume);
  const gate = createGate(client, server, tap, gating, notifyResumed);
  await Promise.all([
    forward(client, server, {
      deliver: gate.fromClient,
      onEnd: () => {
        tap.clientEnded();
        if (client.stream.readableEnded) gate.clientEnded();
        else gate.drop();
      },
      isPaused: gate.isBuffering,
      onResume,
    }),
    forward(server, client, {
      deliver: gate.fromServer,
      onEnd: () => {
        tap.serverEnded();
        gate.serverEnded();
      },
      // A refused request still needs its response.
      isPaused: () => server.stream.readableEnded && gate.isWaiting(),
      onResume,
    }),
  ]);
  gate.drop();
}

function createGate(
  client: RelaySide,
  server: RelaySide,
  tap: GatedTap,
  gating: GateOptions,
  notifyResumed: () => void,
): RequestGate {
  const { host, isEnabled, evaluate, budget } = gating;
  const outputs = gateOutputs(client, server, tap, gating);
  const gate = createRequestGate({
    ...outputs,
    holds: (head) => isEnabled() && isLlmCall(host, head),
    maxBodyBytes: MAX_BODY_BYTES,
    budget,
    onRead: (bytes) => tap.fromClient(bufferOf(bytes)),
    onHeld: (request) => {
      void evaluate(request).then((refusal) => {
        if (refusal && gate.isWaiting()) {
          const keepAlive = keepsAlive(request);
          tap.refused(request.id);
          gate.refuse(
            buildRefusalResponse({ host, target: request.target, keepAlive }, refusal),
            keepAlive,
          );
        } else gate.pass();
        notifyResumed();
      });
    },
    onResume: notifyResumed,
    openSocket: (head, id) => {
      const calls = isEnabled() ? socketCallsFor(host, head, budget) : null;
      return (
        calls &&
        createSocketGate({
          ...outputs,
          calls,
          isEnabled,
          maxMessageBytes: MAX_BODY_BYTES,
          budget,
          // The tap sees only the calls that pass.
          toServer: (bytes) => {
            tap.fromClient(bufferOf(bytes));
            outputs.toServer(bytes);
          },
          sendOwn: (bytes) => writeTo(client, bytes),
          random: randomBytes,
          evaluate: (call) => evaluate(socketRequest(head, id, call)),
          onRefused: () => tap.refused(id),
          onPassed: () => tap.passed(id),
          onResume: notifyResumed,
        })
      );
    },
  });
  return gate;
}

/** The outputs of the gates, shared by requests and WebSockets. */
const gateOutputs = (
  client: RelaySide,
  server: RelaySide,
  tap: GatedTap,
  { host, onNotice }: GateOptions,
) => ({
  toServer: (bytes: Uint8Array) => writeTo(server, bytes),
  toClient: (bytes: Uint8Array) => {
    tap.fromServer(bufferOf(bytes));
    writeTo(client, bytes);
  },
  onClosed: () => {
    client.stream.end();
    server.stream.end();
  },
  onGivenUp: (reason: string) =>
    onNotice(`${host}: policies are not enforced on a connection: ${reason}`),
});

/** Converts a call on a WebSocket to a standalone HTTP request. */
const socketRequest = (
  head: RequestHead,
  id: number,
  { request, truncated }: SocketCall,
): HeldRequest => ({
  ...head,
  id,
  method: 'POST',
  headers: [['content-type', 'application/json']],
  body: [Buffer.from(JSON.stringify(request))],
  truncated,
});

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

function writeTo({ stream }: RelaySide, bytes: Uint8Array): void {
  if (stream.writable) stream.write(bytes);
}
