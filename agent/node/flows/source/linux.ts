import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { ipBytes } from '#agent/core/capture/listeners/ip-bytes.ts';
import type { NamedConnection } from '../../capture/listeners/capture-listener.ts';
import { createObservedNames } from '../host-names-observed.ts';
import type { ObservedNames } from '../host-names-observed.ts';
import { describeSocket, finalCounts, wasListening } from '../linux/describe-socket.ts';
import { pollSockets } from '../linux/poll-sockets.ts';
import { tapPackets } from '../linux/packet-tap.ts';
import { addressFamily, ipProtocol } from '../linux/sock-diag-message.ts';
import type { SocketEndpoints } from '../linux/sock-diag-message.ts';
import { openSockDiag, watchDestroyed } from '../linux/sock-diag-socket.ts';
import type { SockDiag, Watch } from '../linux/sock-diag-socket.ts';
import { createSocketOwners } from '../linux/socket-owners.ts';
import { createUserNames } from '../linux/users.ts';
import { createServerPorts } from './server-ports.ts';
import type { ServerPorts } from './server-ports.ts';
import { emptySource } from './flow-source.ts';
import type { FlowSource, SourceOptions } from './flow-source.ts';

/** The owner of flows that are not reported. */
const thisProcess: FlowOwner = { pid: process.pid, name: '', path: null };

type UserName = (uid: number) => string | null;

/**
 * Observes the sockets of this network namespace, from the kernel's own list (sock_diag). With
 * CAP_NET_ADMIN the kernel also reports each closed socket with its final counts. With CAP_NET_RAW
 * new connections are noticed at once, and their names read. Containers with their own network are
 * in other namespaces and are not included.
 */
export function openLinuxSource(options: SourceOptions): FlowSource {
  // First, because it may fail, and a socket would then stay open.
  const scope = scopeOfSockets();
  const diag = openSockDiag();
  if ('error' in diag) return emptySource(`network flows are not observed: ${diag.error}`);
  // Ids contain the kernel's socket counter, so ids of one time are stored side by side.
  const boot = createHash('sha256').update(scope).digest('hex').slice(0, 16);
  const userName = createUserNames();
  const ports = createServerPorts();
  const names = createObservedNames(options);
  const destroyed = watchClosed(diag, ports, userName, options);
  const addConnecting = (ends: SocketEndpoints, owner: FlowOwner | null = null): void =>
    diag.find('tcp', ends, (record, bytes, at) => {
      if (record.inode === 0) return;
      options.onConnecting({ ...describeSocket(record, bytes, at, 'tcp', userName), owner });
    });
  const tap = watchPackets(names, addConnecting);
  return {
    scope,
    flowId: (key) => `fl_${boot}${Number(key).toString(16).padStart(16, '0')}`,
    // A dump may skip a socket when its neighbours in the kernel's table change. If the kernel also
    // reports every closed socket with its final counts, it is worth waiting for that report.
    maxMisses: destroyed ? 10 : 2,
    async poll(visitor) {
      tap?.readPending();
      const result = pollSockets(diag, visitor, ports, userName);
      destroyed?.readPending();
      return result;
    },
    isServerPort: ports.has,
    findOwners: createSocketOwners().find,
    addNamed(connection) {
      const ends = endpointsOf(connection);
      if (!ends) return;
      if (connection.name !== null) names.addServerName(ends, connection.name);
      addConnecting(ends, connection.isOwn ? thisProcess : null);
    },
    ...(tap ? { names } : {}),
    close() {
      tap?.close();
      destroyed?.close();
      diag.close();
    },
  };
}

/** Returns a scope that changes with each boot, because socket cookies then restart at 1. */
function scopeOfSockets(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/net')}`;
}

function watchClosed(
  diag: SockDiag,
  ports: ServerPorts,
  userName: UserName,
  options: SourceOptions,
): Watch | undefined {
  return watchDestroyed((record, bytes, at) => {
    const protocol = record.protocol === ipProtocol.udp ? 'udp' : 'tcp';
    const isKnown = options.onClosed({
      key: record.cookie,
      isServer: () => ports.has(protocol, record.localPort),
      socket: () => describeSocket(record, bytes, at, protocol, userName),
      counts: () => finalCounts(diag, record, bytes, at),
    });
    if (isKnown || record.port !== 0) return;
    if (protocol === 'udp' || wasListening(record)) ports.add(protocol, record.localPort);
  });
}

const watchPackets = (
  names: ObservedNames,
  addConnecting: (ends: SocketEndpoints) => void,
): Watch | undefined =>
  tapPackets((packet) => {
    if (packet.protocol === 'udp') return names.addDnsResponse(packet.payload);
    if (!packet.isConnecting) return names.addClientHello(packet.endpoints, packet.payload);
    addConnecting(packet.endpoints);
  });

/** The endpoints from the client's view; undefined if an address is invalid. */
function endpointsOf(connection: NamedConnection): SocketEndpoints | undefined {
  const { localPort, port } = connection;
  const [local, remote] = [ipBytes(connection.localAddress), ipBytes(connection.address)];
  if (!local || local.length !== remote?.length) return undefined;
  const family = local.length === 4 ? addressFamily.v4 : addressFamily.v6;
  return { family, local, localPort, remote, port };
}
