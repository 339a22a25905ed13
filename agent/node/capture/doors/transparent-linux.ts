import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { oneLine } from '#agent/core/one-line.ts';
import { isLocalAddress } from '#agent/core/capture/doors/ip-bytes.ts';
import { agentGroupId, joinAgentGroup } from './agent-group.ts';
import { openClientFinder } from './client-process.ts';
import type { ClientFinder } from './client-process.ts';
import { sayChanges } from './door.ts';
import type { Door, DoorOptions, TakenConnection } from './door.ts';
import { createHostAddresses } from './host-addresses.ts';
import { startListening, stopListening } from './listening.ts';
import { readOriginalDestination } from './original-destination.ts';
import { createRedirectTable } from './redirect-table.ts';

export interface TransparentDoorOptions extends DoorOptions {
  /** The addresses of a host; by default as the system's resolver says. */
  lookup?: (host: string) => Promise<string[]>;
  /** The program `nft`. */
  nft?: string;
  /** When this process hangs for so long, connections go their own way again. */
  holdSeconds?: number;
}

export interface TransparentDoor extends Door {
  name: 'transparent';
  /** The answer of a name server that a program on this machine got. */
  learn: (host: string, addresses: readonly string[], ttlSeconds: number) => void;
  /** The addresses that are taken, with the hosts found there. */
  addresses: () => Map<string, string[]>;
}

/**
 * Connections to port 443 of the enabled hosts' addresses, redirected by the kernel to a socket of
 * this process. UDP to them is rejected. Everything on a shared address comes through, so that what
 * is behind the door has to let other names pass. Sockets bound to a device (SO_BINDTODEVICE) cannot
 * be redirected, and do not reach these addresses.
 *
 * Never rejects: without Linux 5.12, nft or the rights of an administrator it takes nothing, and
 * says so.
 */
export async function openTransparentDoor(
  options: TransparentDoorOptions,
): Promise<TransparentDoor> {
  const { onConnection, lookup, nft, holdSeconds = 15 } = options;
  const onProblem = sayChanges(options.onProblem);
  const finder = await openClientFinder();
  const taken = new Set<Socket>();
  let isEnabled = false;

  const take = (socket: Socket): void => {
    const connection = describeConnection(socket, finder);
    if (!connection) return void socket.destroy();
    taken.add(socket);
    socket.once('close', () => {
      taken.delete(socket);
      void removeUnused();
    });
    onConnection(connection);
  };
  const listen = async (host: string): Promise<Server | undefined> => {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, take);
    const onError = ({ message }: Error): void => {
      // Where there is no IPv6, none of it is taken, which is nothing to mend.
      if (host === '127.0.0.1') onProblem(oneLine(message));
    };
    const isListening = await startListening(server, { host, port: 0 }, onError);
    return isListening ? server : undefined;
  };
  const [server4, server6] = await Promise.all([listen('127.0.0.1'), listen('::1')]);
  const rules = {
    table: 'gatehouse',
    port4: portOf(server4),
    port6: portOf(server6),
    groupId: agentGroupId,
    holdSeconds,
  };
  const table = createRedirectTable(rules, { command: nft, onProblem });
  const addresses = createHostAddresses({ lookup, onChange: () => void apply() });

  async function apply(): Promise<void> {
    if (!server4) return;
    if (isEnabled && !joinAgentGroup()) {
      return onProblem('cannot join the agent group (CAP_SETGID)');
    }
    await table.setAddresses(new Set(addresses.current().keys()));
  }

  /** Not before the last connection: with the table, the kernel forgets how to redirect. */
  async function removeUnused(): Promise<void> {
    if (!isEnabled && taken.size === 0) await table.remove();
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
    learn: addresses.learn,
    addresses: addresses.current,
    async close() {
      await setHosts([]);
      for (const server of [server4, server6]) if (server) await stopListening(server);
      finder.close();
    },
  };
}

/** Undefined for a connection that was not redirected but made to the port directly. */
function describeConnection(socket: Socket, finder: ClientFinder): TakenConnection | undefined {
  const { remoteAddress: address, remotePort: port } = socket;
  const version = socket.localFamily === 'IPv6' ? 6 : 4;
  const destination = readOriginalDestination(descriptorOf(socket), version);
  if (!destination || !address || !port || isLocalAddress(destination.host)) return undefined;
  const server = { address: destination.host, port: destination.port };
  return {
    socket,
    destination: { ...destination, name: null },
    client: finder.find({ client: { address, port }, server }),
  };
}

/** Node has no public name for it. */
function descriptorOf(socket: Socket): number {
  return (socket as unknown as { _handle: { fd: number } | null })._handle?.fd ?? -1;
}

function portOf(server: Server | undefined): number | null {
  return server ? (server.address() as AddressInfo).port : null;
}
