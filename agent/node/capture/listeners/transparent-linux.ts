import { AGENT_GROUP_ID, joinAgentGroup, PROBE_GROUP_ID } from './agent-group.ts';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { oneLine } from '#lib/one-line.ts';
import { isLocalAddress } from '#agent/core/capture/listeners/ip-bytes.ts';
import { openClientFinder } from './client-finder.ts';
import type { ClientFinder } from './client-process.ts';
import {
  reportChanges,
  type CaptureListener,
  type CaptureListenerOptions,
  type InterceptedConnection,
  type RedirectedSocket,
} from './capture-listener.ts';
import { createHostAddresses } from './host-addresses.ts';
import { startListening, stopListening } from './listen.ts';
import { redirectedSocketOf } from './original-destination.ts';
import { maxConnections } from './open-files.ts';
import { openRedirectProbe } from './redirect-probe.ts';
import { createRedirectTable } from './redirect-table.ts';

export interface TransparentProxyOptions extends CaptureListenerOptions {
  /** Called with the agent's own connections that the kernel redirects, while they are open. */
  onProbe?: (socket: RedirectedSocket) => void;
  /** Resolves the addresses of a host; by default with the system's resolver. */
  lookup?: (host: string) => Promise<string[]>;
  /** The program `nft`. */
  nft?: string;
  /** The time that this process may hang before connections are no longer redirected. */
  holdSeconds?: number;
}

export interface TransparentProxy extends CaptureListener {
  name: 'transparent';
  /** Records a DNS response that a program on this machine received. */
  addResolved: (host: string, addresses: readonly string[], ttlSeconds: number) => void;
  /** The redirected addresses, with their hosts. */
  addresses: () => Map<string, string[]>;
}

/**
 * Redirects connections to port 443 of the enabled hosts' addresses, in the kernel, to a socket of
 * this process. UDP to them is rejected. All connections to a shared address are redirected, so the
 * interceptor must relay other names. Sockets bound to a device (SO_BINDTODEVICE) cannot be
 * redirected, and do not reach these addresses.
 *
 * Never rejects: without Linux 5.12, nft or administrator rights it redirects nothing and reports a
 * problem.
 */
export async function openTransparentProxy(
  options: TransparentProxyOptions,
): Promise<TransparentProxy> {
  const { onConnection, lookup, nft, holdSeconds = 15 } = options;
  const onProblem = reportChanges(options.onProblem);
  const finder = await openClientFinder(options.onSearchFailure);
  const connections = new Set<Socket>();
  const limit = maxConnections().redirected;
  let isEnabled = false;
  let isFull = limit === 0;
  const reportFull = (): void => onProblem(isFull ? describeFull(limit) : null);

  const accept = (socket: Socket): void => {
    const connection = describeConnection(socket, finder, addresses.current);
    if (!connection) return void socket.destroy();
    connections.add(socket);
    updateFull();
    socket.once('close', () => {
      connections.delete(socket);
      updateFull();
      void removeUnused();
    });
    onConnection(connection);
  };
  const listen = async (host: string): Promise<Server | undefined> => {
    const server = createServer(serverOptions, accept);
    const onError = ({ message }: Error): void => {
      // A machine without IPv6 has no IPv6 connections to redirect, so this is not a problem.
      if (host === '127.0.0.1') onProblem(oneLine(message));
    };
    const isListening = await startListening(server, { host, port: 0 }, onError);
    return isListening ? server : undefined;
  };
  const [server4, server6] = await Promise.all([listen('127.0.0.1'), listen('::1')]);
  const probe = await openRedirectProbe(options.onProbe);
  const rules = {
    table: 'gatehouse',
    ports: {
      4: redirectPorts(server4, probe.ports[4]),
      6: redirectPorts(server6, probe.ports[6]),
    },
    groupId: AGENT_GROUP_ID,
    probeGroupId: PROBE_GROUP_ID,
    holdSeconds,
  };
  const table = createRedirectTable(rules, {
    arrives: probe.arrives,
    command: nft,
    onProblem: (line) => (line === null ? reportFull() : onProblem(line)),
  });
  const addresses = createHostAddresses({ lookup, onChange: () => void apply() });

  async function apply(): Promise<void> {
    if (!server4) return;
    if (isEnabled && !joinAgentGroup())
      return onProblem('cannot join the agent group (CAP_SETGID)');

    if (isEnabled && isFull) reportFull();
    await table.setAddresses(new Set(isFull ? [] : addresses.current().keys()));
  }

  /** Redirects nothing more while as many connections are open as this process can accept. */
  function updateFull(): void {
    const wasFull = isFull;
    isFull = connections.size >= (wasFull ? limit / 2 : limit);
    if (isFull === wasFull) return;
    reportFull();
    void apply();
  }

  /**
   * Removes the table after the last connection. If removed earlier, the kernel could no longer
   * redirect the packets of open connections.
   */
  async function removeUnused(): Promise<void> {
    if (!isEnabled && connections.size === 0) await table.remove();
  }

  async function setHosts(hosts: readonly string[]): Promise<void> {
    isEnabled = hosts.length > 0;
    await addresses.setHosts(hosts);
    await apply();
    await removeUnused();
  }

  return {
    name: 'transparent',
    setHosts,
    addResolved: addresses.addResolved,
    addresses: addresses.current,
    async close() {
      await setHosts([]);
      for (const server of [server4, server6]) if (server) await stopListening(server);
      await probe.close();
      finder.close();
    },
  };
}

const describeFull = (limit: number): string =>
  `only ${limit} connections at once can be captured, because of the limit of open files (ulimit -n): others are not redirected`;

/**
 * Probes keep the entry of an idle connection in the kernel's connection tracking, without which its
 * packets would no longer be redirected. Administrators lower its timeout from five days to minutes.
 */
const serverOptions = {
  allowHalfOpen: true,
  pauseOnConnect: true,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
};

/** Returns undefined for a connection that was not redirected but made directly to the port. */
function describeConnection(
  socket: Socket,
  finder: ClientFinder,
  addresses: () => Map<string, string[]>,
): InterceptedConnection | undefined {
  const redirected = redirectedSocketOf(socket);
  if (!redirected || isLocalAddress(redirected.address)) return undefined;
  const { localAddress, localPort, address, port } = redirected;
  return {
    socket,
    destination: { host: address, port, name: null, hosts: addresses().get(address) ?? [] },
    redirected,
    client: finder.find({
      client: { address: localAddress, port: localPort },
      server: { address, port },
    }),
  };
}

function redirectPorts(
  server: Server | undefined,
  probes: number | null,
): { clients: number; probes: number } | null {
  if (!server || probes === null) return null;
  return { clients: (server.address() as AddressInfo).port, probes };
}
