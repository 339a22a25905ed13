import type { LookupFunction, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import {
  type ClientProcess,
  decideConnection,
  type Decision,
  decideUnnamed,
  dependsOnProcess,
  unnamedDependsOnProcess,
} from '#agent/core/capture/connection-decision.ts';
import {
  type CertificateDistrust,
  createDistrust,
  type DistrustingClient,
  type HandshakeEnd,
} from '#agent/core/capture/distrust.ts';
import { createCopyBudget, withNotice } from '#agent/core/capture/wire/copy-budget.ts';
import type { CopyBudget } from '#agent/core/capture/wire/exchange.ts';
import type { ClientHello } from '#agent/core/client-hello.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { LruMap } from '#lib/lru-map.ts';
import {
  type Destination,
  type InterceptedConnection,
  type NamedConnection,
  unknownClient,
} from './listeners/capture-listener.ts';
import { acceptClient, type CertificateAcceptance, withAcceptance } from './client-handshake.ts';
import { type HelloResult, readHello } from './hello-reader.ts';
import { createJoinedWrites, type Write } from './joined-writes.ts';
import type { LeafCertificates } from './leaf-certificates.ts';
import type { CallChecks } from './enforcement/call-checks.ts';
import type { CapturedConnection, CaptureTap } from './captured-connection.ts';
import { gatedRelay, type GateOptions } from './enforcement/gated-relay.ts';
import { gatedHttp2Relay } from './enforcement/gated-http2-relay.ts';
import {
  type ConnectOptions,
  ConnectTimeout,
  connectOverHttp1,
  connectTo,
  connectUpstream,
  isTerminable,
  REQUESTS_CERTIFICATE,
  type Upstream,
  UpstreamRefused,
} from './upstream.ts';
import { logHourly } from './notices.ts';
import { relay, type RelaySide, resetSocket } from './relay.ts';

export interface InterceptorOptions {
  /** The effective configuration. */
  config: () => DeviceConfig;
  /** Returns null while this device has no authority. */
  leafCertificates: () => LeafCertificates | null;
  /** Returns the context that verifies servers. */
  upstreamContext: () => SecureContext;
  tap: (connection: CapturedConnection) => CaptureTap;
  /** Checks calls if policies are enforced. */
  checks: Pick<CallChecks, 'start' | 'evaluate'>;
  /**
   * Called when a redirected connection has named its server. Its packets leave through loopback, so
   * the observer of flows does not see them.
   */
  onNamed?: (connection: NamedConnection) => void;
  /** Called with one line about a connection that was not captured, and why. */
  onNotice: (line: string) => void;
  /** Called with one line about a connection that was blocked, and why. */
  onBlocked: (line: string) => void;
  /** Resolves host names of servers. */
  lookup?: LookupFunction;
  now?: () => number;
  /** The time after which an attempt to connect to a server is given up. */
  connectTimeoutMs?: number;
  /** The limit of all held requests; beyond it only the start of a request is checked. */
  maxHeldBytes?: number;
  /** The time that `close` waits for connections to end by themselves. */
  graceMs?: number;
}

export interface Interceptor {
  /** Handles a connection until it ends. */
  handle: (connection: InterceptedConnection) => void;
  /** Applies a changed configuration: stops the taps of hosts that are no longer captured. */
  applyConfig: () => void;
  /** Returns the programs that currently reject this device's certificates. */
  refusals: () => DistrustingClient[];
  /** Returns the number of open connections. */
  openCount: () => number;
  /** Resets connections that are still open after the grace period. Resolves once all are closed. */
  close: () => Promise<void>;
}

const MAX_HELD_BYTES = 32 * 1024 * 1024;
const TOO_MANY_HELD = 'too many calls are held at once: of some, only the beginning is checked';

/** The time for which a host that requests client certificates is relayed without capture. */
const BYPASS_MS = 3_600_000;
const MAX_BYPASSES = 1000;
/** The time that a refused client has to read the alert. */
const ALERT_LINGER_MS = 2_000;

/** A fatal alert `access_denied` (RFC 8446, 6), which a client can show for a blocked host. */
const accessDenied = Buffer.from([0x15, 3, 3, 0, 2, 2, 49]);

interface GatedUpstream extends Upstream {
  /** Whether calls are held. */
  isGated: boolean;
}

/** The state that all connections of one interceptor share. */
interface Shared extends InterceptorOptions {
  now: () => number;
  distrust: CertificateDistrust;
  /**
   * The end of the bypass for each host and address whose server requests client certificates. The
   * server of another address is another one: a client may name a host and connect to its own.
   */
  bypassedUntil: LruMap<string, number>;
  connectOptions: ConnectOptions;
  heldBytes: CopyBudget;
  write: Write;
  taps: Map<CaptureTap, CapturedConnection>;
}

/**
 * Handles connections from the capture listeners. On any failure the connection is passed through
 * as long as nothing was sent to the client, so that the client itself sees what is wrong with its
 * server.
 */
export function createInterceptor(options: InterceptorOptions): Interceptor {
  const { config, now = Date.now, graceMs = 2_000, maxHeldBytes = MAX_HELD_BYTES } = options;
  const reportHourly = logHourly(options.onNotice, now);
  const distrust = createDistrust({ now });
  const closing = new AbortController();
  const running = new Map<Promise<void>, Socket>();
  const taps: Shared['taps'] = new Map();
  const shared: Shared = {
    ...options,
    now,
    distrust,
    bypassedUntil: new LruMap(MAX_BYPASSES),
    connectOptions: {
      signal: closing.signal,
      ...(options.lookup && { lookup: options.lookup }),
      ...(options.connectTimeoutMs && { timeoutMs: options.connectTimeoutMs }),
    },
    heldBytes: withNotice(createCopyBudget(maxHeldBytes), () => reportHourly(TOO_MANY_HELD)),
    write: createJoinedWrites(),
    taps,
  };
  return {
    handle: (connection) => {
      const done = handleConnection(shared, connection)
        .catch(() => resetSocket(connection.socket))
        .finally(() => running.delete(done));
      running.set(done, connection.socket);
    },
    applyConfig: () => {
      for (const [tap, { host, client }] of taps)
        if (decideConnection(config(), host, client).action !== 'decrypt') tap.stop();
    },
    refusals: () => distrust.list(),
    openCount: () => running.size,
    close: async () => {
      await Promise.race([Promise.all(running.keys()), pause(graceMs, null, { ref: false })]);
      closing.abort();
      for (const socket of running.values()) resetSocket(socket);
      await Promise.all(running.keys());
    },
  };
}

async function handleConnection(shared: Shared, connection: InterceptedConnection): Promise<void> {
  const { socket, destination } = connection;
  socket.setNoDelay(true).on('error', () => undefined);
  const helloResult = await readHello(socket);
  const { hello } = helloResult;
  const name = hello?.name ?? null;
  if (connection.redirected) shared.onNamed?.({ ...connection.redirected, name, isOwn: false });
  const decision = await decide(shared, connection, name);
  if (decision.action === 'block') return block(shared, connection, decision);
  if (
    decision.action === 'decrypt' &&
    hello &&
    (await decryptAndRelay(shared, connection, decision.host, hello))
  )
    return;
  await passThrough(shared, socket, destination, helloResult);
}

/** Waits for the process only if the decision depends on it, since the client waits meanwhile. */
async function decide(
  { config }: Shared,
  { client, destination }: InterceptedConnection,
  name: string | null,
): Promise<Decision> {
  const hosts = destination.hosts ?? (destination.name === null ? [] : [destination.name]);
  const isNeeded = name
    ? dependsOnProcess(config(), name)
    : unnamedDependsOnProcess(config(), hosts);
  const knownClient = isNeeded ? await client : unknownClient;
  return name
    ? decideConnection(config(), name, knownClient)
    : decideUnnamed(config(), hosts, knownClient);
}

async function block(
  { onBlocked }: Shared,
  { socket, client }: InterceptedConnection,
  { reason }: Decision & { reason: string },
): Promise<void> {
  const reported = client.then((process) => onBlocked(`${nameOf(process)}: ${reason}`));
  await Promise.all([reported, sendAccessDenied(socket)]);
}

async function sendAccessDenied(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const timer = setTimeout(() => resetSocket(socket), ALERT_LINGER_MS);
  socket.resume();
  socket.end(accessDenied);
  await closed;
  clearTimeout(timer);
}

async function passThrough(
  { connectOptions, write }: Shared,
  socket: Socket,
  destination: Destination,
  { consumed }: HelloResult,
): Promise<void> {
  try {
    const server = await connectTo(destination, connectOptions);
    if (consumed) server.write(consumed);
    await relay({ stream: socket, socket }, { stream: server, socket: server }, write);
  } catch {
    resetSocket(socket);
  }
}

/** Resolves to false if nothing was sent to the client. */
async function decryptAndRelay(
  shared: Shared,
  connection: InterceptedConnection,
  host: string,
  hello: ClientHello,
): Promise<boolean> {
  const { distrust, onNotice } = shared;
  const secureContext = await contextFor(shared, host);
  if (!secureContext || !isTerminable(hello)) return false;
  if (isBypassed(shared, connection.destination, host)) return false;
  const client = await connection.client;
  const handshakeClient = { ...client, protocols: hello.protocols };
  if (distrust.has(handshakeClient, host)) return false;
  const upstream = await connectServer(shared, connection.destination, host, hello);
  if (!upstream) return false;
  const recordRefusal = (end: HandshakeEnd): void => {
    if (distrust.recordFailure(handshakeClient, host, end))
      onNotice(describeRefusedCertificate(client, host));
  };
  const { socket } = connection;
  const { protocol } = upstream;
  const accepted = await acceptClient(socket, { secureContext, protocol });
  if ('refused' in accepted) {
    resetSocket(upstream.socket);
    recordRefusal(accepted.refused);
    return true;
  }
  const captured = { host, protocol, client };
  await relayCaptured(shared, captured, { stream: accepted.stream, socket }, upstream, {
    accepted: () => distrust.recordAcceptance(handshakeClient, host),
    // A client that ends the connection properly, such as `openssl s_client`, has not rejected it.
    refused: () => accepted.hasOnlyClosed() || recordRefusal('closed'),
  });
  if (upstream.hasRequestedCertificate())
    bypass(shared, connection.destination, host, REQUESTS_CERTIFICATE);
  return true;
}

async function contextFor(
  { leafCertificates }: Shared,
  host: string,
): Promise<SecureContext | null> {
  try {
    return (await leafCertificates()?.contextFor(host)) ?? null;
  } catch {
    return null;
  }
}

async function connectServer(
  shared: Shared,
  destination: Destination,
  host: string,
  hello: ClientHello,
): Promise<GatedUpstream | null> {
  const { config, onNotice } = shared;
  const connect = (offeredHello: ClientHello) =>
    connectUpstream(destination, host, offeredHello, {
      ...shared.connectOptions,
      secureContext: shared.upstreamContext(),
    });
  try {
    if (!config().enforce_policies) return { ...(await connect(hello)), isGated: false };
    return { ...(await connectOverHttp1(hello, connect)), isGated: true };
  } catch (error) {
    if (error instanceof ConnectTimeout) throw error;
    if (error instanceof UpstreamRefused)
      if (error.wantsClientCertificate) bypass(shared, destination, host, error.message);
      else onNotice(`${host}: passed through, its certificate is not accepted: ${error.message}`);

    return null;
  }
}

const bypassKey = ({ host: address, port }: Destination, host: string): string =>
  `${host} ${address} ${port}`;

const isBypassed = ({ bypassedUntil, now }: Shared, to: Destination, host: string): boolean =>
  (bypassedUntil.get(bypassKey(to, host)) ?? 0) > now();

function bypass(
  { bypassedUntil, now, onNotice }: Shared,
  to: Destination,
  host: string,
  reason: string,
): void {
  bypassedUntil.set(bypassKey(to, host), now() + BYPASS_MS);
  onNotice(`${host}: passed through, ${reason}`);
}

async function relayCaptured(
  shared: Shared,
  connection: CapturedConnection,
  client: RelaySide,
  upstream: GatedUpstream,
  acceptance: CertificateAcceptance,
): Promise<void> {
  const { config, taps, now, write } = shared;
  // Capture may have been disabled during the handshakes.
  if (decideConnection(config(), connection.host, connection.client).action !== 'decrypt')
    return relay(client, upstream, write);
  const tap = shared.tap(connection);
  taps.set(tap, connection);
  const { refused, passed } = tap;
  const gatedTap = { ...withAcceptance(tap, acceptance, now), refused, passed };
  const relayGated = connection.protocol === 'h2' ? gatedHttp2Relay : gatedRelay;
  if (upstream.isGated)
    await relayGated(client, upstream, gatedTap, gateOptionsOf(shared, connection));
  else await relay(client, upstream, write, gatedTap);
  taps.delete(tap);
}

function gateOptionsOf(shared: Shared, connection: CapturedConnection): GateOptions {
  const { config, checks, heldBytes, onNotice } = shared;
  const { host, client } = connection;
  checks.start();
  return {
    host,
    isEnabled: () =>
      config().enforce_policies && decideConnection(config(), host, client).action === 'decrypt',
    evaluate: (request) => checks.evaluate(connection, request),
    budget: heldBytes,
    onNotice,
  };
}

const nameOf = ({ process }: ClientProcess): string => process ?? 'a process that is not known';

const describeRefusedCertificate = (client: ClientProcess, host: string): string =>
  `${nameOf(client)} does not accept this device's certificate for ${host}: passed through, only ` +
  'metadata is seen';
