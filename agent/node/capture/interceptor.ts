import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import {
  type ClientProcess,
  decide,
  type Decision,
  dependsOnProcess,
} from '#agent/core/capture/decision.ts';
import { createDistrust, type HandshakeEnd } from '#agent/core/capture/distrust.ts';
import type { ClientHello } from '#agent/core/client-hello.ts';
import type { DeviceConfig } from '#contract/device.ts';
import {
  type ConnectionClient,
  type Destination,
  type TakenConnection,
  unknownClient,
} from './doors/door.ts';
import { acceptClient } from './client-handshake.ts';
import { type Verdict, withVerdict } from './client-verdict.ts';
import { readHello } from './hello-reader.ts';
import type { LeafCertificates } from './leaf-certificates.ts';
import { cutOff, relay, type RelayTap, type Side } from './relay.ts';
import {
  connectTo,
  connectUpstream,
  understands,
  type Upstream,
  UpstreamRefused,
} from './upstream.ts';

/** A connection whose bytes are seen. */
export interface CapturedConnection {
  host: string;
  protocol: Upstream['protocol'];
  client: ConnectionClient;
}

export interface CaptureTap extends RelayTap {
  /** Keeps nothing more, and forgets what it kept. */
  stop: () => void;
}

export interface InterceptorOptions {
  /** What is in force now. */
  config: () => DeviceConfig;
  /** Null while this device has no authority. */
  leaves: () => LeafCertificates | null;
  /** Verifies servers. */
  upstreamContext: () => SecureContext;
  tap: (connection: CapturedConnection) => CaptureTap;
  /** One line on what is not captured or was blocked, and why. */
  onNotice: (line: string) => void;
  now?: () => number;
  /** How long connections have to end by themselves when all is closed. */
  graceMs?: number;
}

export interface Interceptor {
  /** Takes care of a connection until it is over. */
  take: (taken: TakenConnection) => void;
  /** The configuration has changed: hosts that are no longer captured are not from here on. */
  check: () => void;
  /** How many connections are open. */
  open: () => number;
  /** Cuts off what is still open after the grace, and resolves once all is closed. */
  close: () => Promise<void>;
}

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
  /** Hosts that want certificates of their clients. */
  const untouchable = new Set<string>();
  const running = new Map<Promise<void>, Socket>();
  const taps = new Map<CaptureTap, CapturedConnection>();

  const serve = async (taken: TakenConnection): Promise<void> => {
    const { socket, destination } = taken;
    socket.setNoDelay(true).on('error', () => undefined);
    const hello = await readHello(socket);
    const client = dependsOnProcess(config()) ? await taken.client : unknownClient;
    const decision = decide(config(), hello?.name ?? null, client);
    if (decision.action === 'block') return block(socket, decision, await taken.client);
    if (decision.action === 'terminate' && hello && (await terminate(taken, decision.host, hello)))
      return;
    await passThrough(socket, destination);
  };

  const block = (
    socket: Socket,
    decision: Decision & { reason: string },
    client: ClientProcess,
  ) => {
    onNotice(`${nameOf(client)}: ${decision.reason}`);
    socket.resume();
    socket.end(accessDenied);
  };

  /** Answers false if nothing was done that the client could have noticed. */
  const terminate = async (
    taken: TakenConnection,
    host: string,
    hello: ClientHello,
  ): Promise<boolean> => {
    const client = await taken.client;
    const secureContext = await contextFor(host);
    if (!secureContext || !understands(hello)) return false;
    if (untouchable.has(host) || distrust.has(client, host)) return false;
    const upstream = await reach(taken.destination, host, hello);
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
      accepted: () => distrust.forget(client, host),
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
  ): Promise<Upstream | null> => {
    try {
      return await connectUpstream(destination, host, hello, options.upstreamContext());
    } catch (error) {
      if (error instanceof UpstreamRefused) {
        if (error.wantsClientCertificate) leaveAlone(host);
        else onNotice(`${host}: passed through, its certificate is not accepted: ${error.message}`);
      }
      return null;
    }
  };

  const leaveAlone = (host: string): void => {
    untouchable.add(host);
    onNotice(`${host}: passed through, it asks its clients for certificates`);
  };

  const relayCaptured = async (
    connection: CapturedConnection,
    client: Side,
    upstream: Upstream,
    verdict: Verdict,
  ): Promise<void> => {
    const tap = options.tap(connection);
    taps.set(tap, connection);
    await relay(client, upstream, withVerdict(tap, verdict, now));
    taps.delete(tap);
    if (upstream.wantedCertificate()) leaveAlone(connection.host);
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
    open: () => running.size,
    close: async () => {
      await Promise.race([Promise.all(running.keys()), pause(graceMs, null, { ref: false })]);
      for (const socket of running.values()) cutOff(socket);
      await Promise.all(running.keys());
    },
  };
}

async function passThrough(socket: Socket, destination: Destination): Promise<void> {
  try {
    const server = await connectTo(destination);
    await relay({ stream: socket, socket }, { stream: server, socket: server });
  } catch {
    cutOff(socket);
  }
}

const nameOf = ({ process }: ClientProcess): string => process ?? 'a process that is not known';

const describeDistrust = (client: ClientProcess, host: string): string =>
  `${nameOf(client)} does not accept this device's certificate for ${host}: passed through, only ` +
  'metadata is seen';
