import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ipBytes } from '#agent/core/capture/listeners/ip-bytes.ts';
import type { IpVersion } from '#agent/core/capture/listeners/redirect-rules.ts';
import { addressFamily } from '../../flows/linux/sock-diag-message.ts';
import {
  closeSocket,
  connectSocket,
  lastError,
  openSocket,
  receiveBytes,
  whenReadable,
} from '../../flows/linux/libc.ts';
import { inProbeGroup } from './agent-group.ts';
import type { RedirectedSocket } from './capture-listener.ts';
import { startListening, stopListening } from './listen.ts';
import { redirectedSocketOf } from './original-destination.ts';

/** Connections of the agent to itself, which the kernel redirects like those of clients. */
export interface RedirectProbe {
  /** The port to which probes are redirected; null: the system has no such loopback address. */
  ports: Record<IpVersion, number | null>;
  /** Whether a connection to this address arrives here. */
  arrives: (address: string) => Promise<boolean>;
  close: () => Promise<void>;
}

const STREAM_TYPE = 1;
/** Turns of the event loop are counted, because after a pause of this process its timers are late. */
const TURNS = 20;
const TURN_MS = 50;

/** Errors by which clients fail as well, redirected or not: this machine has no route. */
const noRoute: readonly string[] = ['ENETUNREACH', 'EADDRNOTAVAIL'];

/**
 * A probe has arrived if it receives the token of this process. `onProbe` is called with each one
 * while it is open.
 */
export async function openRedirectProbe(
  onProbe?: (socket: RedirectedSocket) => void,
): Promise<RedirectProbe> {
  const token = randomBytes(16);
  const accept = (socket: Socket): void => {
    const redirected = redirectedSocketOf(socket);
    if (redirected) onProbe?.(redirected);
    socket.on('error', () => undefined).end(token);
  };
  const listen = async (host: string): Promise<Server | null> => {
    const server = createServer(accept);
    const isListening = await startListening(server, { host, port: 0 }, () => undefined);
    return isListening ? server : null;
  };
  const [server4, server6] = await Promise.all([listen('127.0.0.1'), listen('::1')]);
  return {
    ports: { 4: portOf(server4), 6: portOf(server6) },
    arrives: (address) => sendProbe(address, token),
    async close() {
      for (const server of [server4, server6]) if (server) await stopListening(server);
    },
  };
}

async function sendProbe(address: string, token: Buffer): Promise<boolean> {
  const target = socketAddress(address);
  if (!target) return false;
  const [family] = target;
  const fd = inProbeGroup(() => openSocket(family ?? 0, STREAM_TYPE, 0));
  if (fd === undefined) return false;
  if (!connectSocket(fd, target)) {
    const isHarmless = noRoute.includes(lastError());
    closeSocket(fd);
    return isHarmless;
  }
  const { promise: isReadable, resolve: onReadable } = Promise.withResolvers<true>();
  const stop = whenReadable(fd, () => onReadable(true));
  let turns = 0;
  while (turns < TURNS && !(await Promise.race([isReadable, wait(TURN_MS)]))) turns += 1;
  stop();
  const received = new Uint8Array(token.length);
  const length = receiveBytes(fd, received);
  closeSocket(fd);
  return length === token.length && token.equals(received);
}

/** `sockaddr_in` or `sockaddr_in6` of port 443. */
function socketAddress(address: string): Uint8Array | null {
  const bytes = ipBytes(address);
  if (!bytes) return null;
  const isIpv4 = bytes.length === 4;
  const result = new Uint8Array(isIpv4 ? 16 : 28);
  new Uint16Array(result.buffer, 0, 1)[0] = isIpv4 ? addressFamily.v4 : addressFamily.v6;
  new DataView(result.buffer).setUint16(2, 443);
  result.set(bytes, isIpv4 ? 4 : 8);
  return result;
}

const portOf = (server: Server | null): number | null =>
  server ? (server.address() as AddressInfo).port : null;
