import type { LookupFunction, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import {
  type ClientProcess,
  decide,
  type Decision,
  dependsOnProcess,
} from '#agent/core/capture/decision.ts';
import { createDistrust, type HandshakeEnd, type Refusal } from '#agent/core/capture/distrust.ts';
import { createCopyBudget } from '#agent/core/capture/wire/copy-budget.ts';
import type { ClientHello } from '#agent/core/client-hello.ts';
import type { DeviceConfig } from '#contract/device.ts';
import { type Destination, type TakenConnection, unknownClient } from './doors/door.ts';
import { acceptClient } from './client-handshake.ts';
import { type Verdict, withVerdict } from './client-verdict.ts';
import { type Beginning, readHello } from './hello-reader.ts';
import type { LeafCertificates } from './leaf-certificates.ts';
import type { CallChecks } from './enforcement/call-checks.ts';
import type { CapturedConnection, CaptureTap } from './captured-connection.ts';
import { type Gating, gatedRelay } from './enforcement/gated-relay.ts';
import { connectGated, type GatedUpstream } from './enforcement/gated-upstream.ts';
import { cutOff, relay, type Side } from './relay.ts';
import {
  type ConnectOptions,
  connectTo,
  connectUpstream,
  isTerminable,
  UpstreamRefused,
} from './upstream.ts';

export interface InterceptorOptions {
  /** What is in force now. */
  config: () => DeviceConfig;
  /** Null while this device has no authority. */
  leaves: () => LeafCertificates | null;
  /** Verifies servers. */
  upstreamContext: () => SecureContext;
  tap: (connection: CapturedConnection) => CaptureTap;
  /** Judges calls where policies are enforced. */
  checks: Pick<CallChecks, 'warm' | 'judge'>;
  /** One line on what is not captured or was blocked, and why. */
  onNotice: (line: string) => void;
  /** Finds addresses of servers. */
  lookup?: LookupFunction;
  now?: () => number;
  /** How long connections have to end by themselves when all is closed. */
  graceMs?: number;
}

export interface Interceptor {
  /** Takes care of a connection until it is over. */
  take: (taken: TakenConnection) => void;
  /** The configuration has changed: hosts that are no longer captured are not from here on. */
  check: () => void;
  /** Who does not accept this device's certificates now. */
  refusals: () => Refusal[];
  /** How many connections are open. */
  open: () => number;
  /** Cuts off what is still open after the grace, and resolves once all is closed. */
  close: () => Promise<void>;
}

/** Of requests that are being judged; what goes beyond is judged by its beginning. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;

/** How long a host that wants certificates of its clients is left alone. */
const UNTOUCHABLE_MS = 3_600_000;
/** A client that is refused has so long to read why. */
const READ_REFUSAL_MS = 2_000;

/** A fatal alert `access_denied` (RFC 8446, 6): what a client can show of a blocked host. */
const accessDenied = Buffer.from([0x15, 3, 3, 0, 2, 2, 49]);

/**
 * What happens with connections that came through a door. Whatever goes wrong here, the connection is
 * passed through as long as nothing was sent to the client; so it is the client that sees what is
 * wrong with its server.
 */
export function createInterceptor(options: InterceptorOptions): Interceptor {
  const { config, onNotice, now = Date.now, graceMs = 2_000 } = options;
  const distrust = createDistrust({ now });
  /** Until when hosts are left alone that want certificates of their clients. */
  const untouchable = new Map<string, number>();
  const closing = new AbortController();
  const connecting: ConnectOptions = {
    signal: closing.signal,
    ...(options.lookup && { lookup: options.lookup }),
  };
  const running = new Map<Promise<void>, Socket>();
  const heldBytes = createCopyBudget(MOST_HELD_BYTES);
  const taps = new Map<CaptureTap, CapturedConnection>();

  const serve = async (taken: TakenConnection): Promise<void> => {
    const { socket, destination } = taken;
    socket.setNoDelay(true).on('error', () => undefined);
    const beginning = await readHello(socket);
    const { hello } = beginning;
    const client = dependsOnProcess(config()) ? await taken.client : unknownClient;
    const decision = decide(config(), hello?.name ?? null, client);
    if (decision.action === 'block') return block(taken, decision);
    if (decision.action === 'terminate' && hello && (await terminate(taken, decision.host, hello)))
      return;
    await passThrough(socket, destination, beginning);
  };

  const block = async (
    { socket, client }: TakenConnection,
    { reason }: Decision & { reason: string },
  ): Promise<void> => {
    onNotice(`${nameOf(await client)}: ${reason}`);
    if (socket.destroyed) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const timer = setTimeout(() => cutOff(socket), READ_REFUSAL_MS);
    socket.resume();
    socket.end(accessDenied);
    await closed;
    clearTimeout(timer);
  };

  const passThrough = async (
    socket: Socket,
    destination: Destination,
    { all }: Beginning,
  ): Promise<void> => {
    try {
      const server = await connectTo(destination, connecting);
      if (all) server.write(all);
      await relay({ stream: socket, socket }, { stream: server, socket: server });
    } catch {
      cutOff(socket);
    }
  };

  /** Answers false if nothing was done that the client could have noticed. */
  const terminate = async (
    taken: TakenConnection,
    host: string,
    hello: ClientHello,
  ): Promise<boolean> => {
    const client = await taken.client;
    const secureContext = await contextFor(host);
    if (!secureContext || !isTerminable(hello)) return false;
    if (isUntouchable(host) || distrust.has(client, host)) return false;
    const upstream = await reach(taken.destination, host, hello, client);
    if (!upstream) return false;
    const noteRefusal = (end: HandshakeEnd): void => {
      if (distrust.note(client, host, end)) onNotice(describeDistrust(client, host));
    };
    const { socket } = taken;
    const { protocol } = upstream;
    const accepted = await acceptClient(socket, { secureContext, protocol });
    if ('refused' in accepted) {
      cutOff(upstream.socket);
      noteRefusal(accepted.refused);
      return true;
    }
    await relayCaptured({ host, protocol, client }, { stream: accepted.stream, socket }, upstream, {
      accepted: () => distrust.accepted(client, host),
      refused: () => noteRefusal('closed'),
    });
    return true;
  };

  const contextFor = async (host: string): Promise<SecureContext | null> => {
    try {
      return (await options.leaves()?.contextFor(host)) ?? null;
    } catch {
      return null;
    }
  };

  const reach = async (
    destination: Destination,
    host: string,
    hello: ClientHello,
    client: ClientProcess,
  ): Promise<GatedUpstream | null> => {
    const connect = (offering: ClientHello) =>
      connectUpstream(destination, host, offering, {
        ...connecting,
        secureContext: options.upstreamContext(),
      });
    try {
      if (!config().enforce_policies) return { ...(await connect(hello)), isGated: false };
      const upstream = await connectGated(hello, connect);
      if (!upstream.isGated) onNotice(describeUngated(client, host));
      return upstream;
    } catch (error) {
      if (error instanceof UpstreamRefused) {
        if (error.wantsClientCertificate) leaveAlone(host);
        else onNotice(`${host}: passed through, its certificate is not accepted: ${error.message}`);
      }
      return null;
    }
  };

  const isUntouchable = (host: string): boolean => (untouchable.get(host) ?? 0) > now();

  const leaveAlone = (host: string): void => {
    untouchable.set(host, now() + UNTOUCHABLE_MS);
    onNotice(`${host}: passed through, it asks its clients for certificates`);
  };

  const relayCaptured = async (
    connection: CapturedConnection,
    client: Side,
    upstream: GatedUpstream,
    verdict: Verdict,
  ): Promise<void> => {
    // It may have been switched off during the handshakes.
    if (decide(config(), connection.host, connection.client).action !== 'terminate')
      return relay(client, upstream);
    const tap = options.tap(connection);
    taps.set(tap, connection);
    const judged = { ...withVerdict(tap, verdict, now), refused: tap.refused };
    if (upstream.isGated) await gatedRelay(client, upstream, judged, gatingOf(connection));
    else await relay(client, upstream, judged);
    taps.delete(tap);
    if (upstream.wantedCertificate()) leaveAlone(connection.host);
  };

  const gatingOf = (connection: CapturedConnection): Gating => {
    const { host, client } = connection;
    options.checks.warm();
    return {
      host,
      isOn: () =>
        config().enforce_policies && decide(config(), host, client).action === 'terminate',
      judge: (request) => options.checks.judge(connection, request),
      budget: heldBytes,
      onNotice,
    };
  };

  return {
    take: (taken) => {
      const done = serve(taken)
        .catch(() => cutOff(taken.socket))
        .finally(() => running.delete(done));
      running.set(done, taken.socket);
    },
    check: () => {
      for (const [tap, { host, client }] of taps) {
        if (decide(config(), host, client).action !== 'terminate') tap.stop();
      }
    },
    refusals: () => distrust.list(),
    open: () => running.size,
    close: async () => {
      await Promise.race([Promise.all(running.keys()), pause(graceMs, null, { ref: false })]);
      closing.abort();
      for (const socket of running.values()) cutOff(socket);
      await Promise.all(running.keys());
    },
  };
}

const nameOf = ({ process }: ClientProcess): string => process ?? 'a process that is not known';

const describeUngated = (client: ClientProcess, host: string): string =>
  `${host}: policies are not enforced for ${nameOf(client)}: HTTP/1.1 is not spoken`;

const describeDistrust = (client: ClientProcess, host: string): string =>
  `${nameOf(client)} does not accept this device's certificate for ${host}: passed through, only ` +
  'metadata is seen';
