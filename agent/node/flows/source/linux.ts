import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { createObservedNames } from '../host-names-observed.ts';
import type { ObservedNames } from '../host-names-observed.ts';
import { describeSocket, finalCounts, wasListening } from '../linux/describe-socket.ts';
import { pollSockets } from '../linux/poll-sockets.ts';
import { tapPackets } from '../linux/packet-tap.ts';
import { ipProtocol } from '../linux/sock-diag-message.ts';
import { openSockDiag, watchDestroyed } from '../linux/sock-diag-socket.ts';
import type { SockDiag, Watch } from '../linux/sock-diag-socket.ts';
import { createSocketOwners } from '../linux/socket-owners.ts';
import { createUserNames } from '../linux/users.ts';
import { createServerPorts } from './server-ports.ts';
import type { ServerPorts } from './server-ports.ts';
import { emptySource } from './flow-source.ts';
import type { FlowSource, SourceOptions } from './flow-source.ts';

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
  const tap = watchConnecting(diag, names, userName, options);
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

function watchConnecting(
  diag: SockDiag,
  names: ObservedNames,
  userName: UserName,
  options: SourceOptions,
): Watch | undefined {
  return tapPackets((packet) => {
    if (packet.protocol === 'udp') return names.addDnsResponse(packet.payload);
    if (!packet.isConnecting) return names.addClientHello(packet.endpoints, packet.payload);
    diag.find('tcp', packet.endpoints, (record, bytes, at) => {
      if (record.inode === 0) return;
      options.onConnecting(describeSocket(record, bytes, at, 'tcp', userName));
    });
  });
}
