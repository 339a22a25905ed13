import type { Refusal } from '#agent/core/capture/enforcement/refusal.ts';
import { isHeldCall, keepsAlive, refusalAnswer } from '#agent/core/capture/enforcement/refusal.ts';
import {
  createRequestGate,
  type HeldRequest,
  type RequestGate,
} from '#agent/core/capture/enforcement/request-gate.ts';
import type { CopyBudget } from '#agent/core/capture/wire/exchange.ts';
import { forward, type RelayTap, type Side } from '../relay.ts';

export interface GatedTap extends RelayTap {
  /** This request was answered by the agent itself. */
  refused: (id: number) => void;
}

export interface Gating {
  host: string;
  /** Are calls still held? Requests in progress continue. */
  isOn: () => boolean;
  /** Null: it may be made. Never rejects, and takes no longer than a client can wait. */
  judge: (request: HeldRequest) => Promise<Refusal | null>;
  budget: CopyBudget;
  onNotice: (line: string) => void;
}

/** Of one body, as of copies. */
const MOST_BODY_BYTES = 1024 * 1024;

/**
 * As `relay`, over HTTP/1: a call of an LLM goes on when it was judged, or is answered here. The tap
 * sees what the client sends, and what it is answered.
 */
export async function gatedRelay(
  client: Side,
  server: Side,
  tap: GatedTap,
  gating: Gating,
): Promise<void> {
  const freed = new Set<() => void>();
  const free = (): void => freed.forEach((goOn) => goOn());
  const onFreed = (goOn: () => void): void => void freed.add(goOn);
  const gate = createGate(client, server, tap, gating, free);
  await Promise.all([
    forward(client, server, {
      handOn: (chunk) => {
        tap.fromClient(chunk);
        gate.fromClient(chunk);
      },
      ended: () => {
        tap.clientEnded();
        if (client.stream.readableEnded) gate.clientEnded();
        else gate.drop();
      },
      isHeldBack: gate.isWaiting,
      onFreed,
    }),
    forward(server, client, {
      handOn: gate.fromServer,
      ended: tap.serverEnded,
      // What is refused has still to be answered.
      isHeldBack: () => server.stream.readableEnded && gate.isWaiting(),
      onFreed,
    }),
  ]);
  gate.drop();
}

function createGate(
  client: Side,
  server: Side,
  tap: GatedTap,
  { host, isOn, judge, budget, onNotice }: Gating,
  free: () => void,
): RequestGate {
  const gate = createRequestGate({
    holds: (head) => isOn() && isHeldCall(host, head),
    mostBodyBytes: MOST_BODY_BYTES,
    budget,
    toServer: (bytes) => writeTo(server, bytes),
    toClient: (bytes) => {
      tap.fromServer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      writeTo(client, bytes);
    },
    onHeld: (request) => {
      void judge(request).then((refusal) => {
        if (refusal && gate.isWaiting()) {
          const keepAlive = keepsAlive(request);
          tap.refused(request.id);
          gate.refuse(
            refusalAnswer({ host, target: request.target, keepAlive }, refusal),
            keepAlive,
          );
        } else gate.pass();
        free();
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

function writeTo({ stream }: Side, bytes: Uint8Array): void {
  if (stream.writable) stream.write(bytes);
}
