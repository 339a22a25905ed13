import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import {
  isHeldCall,
  keepsAlive,
  buildRefusalResponse,
} from '#agent/core/capture/enforcement/refusal.ts';
import {
  createRequestGate,
  type HeldRequest,
  type RequestGate,
} from '#agent/core/capture/enforcement/request-gate.ts';
import type { CopyBudget } from '#agent/core/capture/wire/exchange.ts';
import { forward, type RelayTap, type RelaySide } from '../relay.ts';

export interface GatedTap extends RelayTap {
  /** This request was answered by the agent itself. */
  refused: (id: number) => void;
}

export interface GateOptions {
  host: string;
  /** Are calls still held? Requests in progress continue. */
  isEnabled: () => boolean;
  /** Null: the call is allowed. Never rejects, and resolves before a client gives up. */
  evaluate: (request: HeldRequest) => Promise<PolicyRefusal | null>;
  budget: CopyBudget;
  onNotice: (line: string) => void;
}

/** The limit of one body, as for copies. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * As `relay`, over HTTP/1: an LLM call is held until it was checked, then sent or refused. The tap
 * sees what the client sends and receives.
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
      deliver: (chunk) => {
        tap.fromClient(chunk);
        gate.fromClient(chunk);
      },
      onEnd: () => {
        tap.clientEnded();
        if (client.stream.readableEnded) gate.clientEnded();
        else gate.drop();
      },
      isPaused: gate.isWaiting,
      onResume,
    }),
    forward(server, client, {
      deliver: gate.fromServer,
      onEnd: tap.serverEnded,
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
  { host, isEnabled, evaluate, budget, onNotice }: GateOptions,
  notifyResumed: () => void,
): RequestGate {
  const gate = createRequestGate({
    holds: (head) => isEnabled() && isHeldCall(host, head),
    maxBodyBytes: MAX_BODY_BYTES,
    budget,
    toServer: (bytes) => writeTo(server, bytes),
    toClient: (bytes) => {
      tap.fromServer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      writeTo(client, bytes);
    },
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
    onClosed: () => {
      client.stream.end();
      server.stream.end();
    },
    onGivenUp: (reason) =>
      onNotice(`${host}: policies are not enforced on a connection: ${reason}`),
  });
  return gate;
}

function writeTo({ stream }: RelaySide, bytes: Uint8Array): void {
  if (stream.writable) stream.write(bytes);
}
