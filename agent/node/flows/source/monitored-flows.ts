import { readServerName } from '#agent/core/client-hello.ts';
import type {
  ExtensionMessage,
  FlowCountsMessage,
  OpenedFlow,
} from '#agent/core/extension-protocol/messages.ts';
import type { FlowCounts, FlowOwner, FlowSocket, SocketKey } from '#agent/core/flow-table.ts';
import { plainAddress } from '#agent/core/ip-address.ts';
import { outerNames } from '../host-names-observed.ts';
import type { SourceOptions, SocketVisitor } from './flow-source.ts';

/** The maximum number of simultaneously open flows. More are counted, but not observed. */
const MAX_FLOWS = 8192;

interface MonitoredFlow {
  socket: FlowSocket;
  counts: FlowCounts;
  /** The host in the catalog; null: another host, undefined: unknown. */
  host: string | null | undefined;
}

/** Tracks the current flows that FlowMonitor reports. */
export interface MonitoredFlows {
  handle: (message: ExtensionMessage) => void;
  visit: (visitor: SocketVisitor) => void;
  nameOf: (key: SocketKey) => string | null | undefined;
  /** Discards the open flows; those still open will be listed again. */
  clear: () => void;
  /** The number of flows and events dropped since the last call. */
  takeDroppedCount: () => number;
}

export type MonitoredFlowsOptions = Pick<
  SourceOptions,
  'onConnecting' | 'onClosed' | 'catalogHostOf'
>;

export function createMonitoredFlows(options: MonitoredFlowsOptions): MonitoredFlows {
  const { catalogHostOf, onConnecting, onClosed } = options;
  const flows = new Map<string, MonitoredFlow>();
  /** Hosts of ended flows, kept until after the next poll. */
  let endedHosts = new Map<SocketKey, MonitoredFlow['host']>();
  let previousEndedHosts = endedHosts;
  let missed = 0;

  function open(message: OpenedFlow): void {
    if (flows.has(message.id)) return;
    if (flows.size >= MAX_FLOWS) return void (missed += 1);
    const host = message.host === null ? undefined : (catalogHostOf(message.host) ?? null);
    const flow = { socket: socketOf(message), counts: noCounts, host };
    flows.set(message.id, flow);
    onConnecting(flow.socket);
  }

  function readHello(id: string, bytes: Uint8Array): void {
    const flow = flows.get(id);
    if (!flow) return;
    // A TCP flow with sent data is established.
    flow.counts = { ...flow.counts, established: true };
    const hello = readServerName(bytes);
    if (hello.state === 'named' && !outerNames.has(hello.name))
      flow.host = catalogHostOf(hello.name) ?? null;
  }

  function count(message: FlowCountsMessage): MonitoredFlow | undefined {
    const flow = flows.get(message.id);
    if (!flow) return undefined;
    const { bytes_in: bytesIn, bytes_out: bytesOut } = message;
    const established = flow.counts.established || bytesIn + bytesOut > 0;
    flow.counts = { established, bytesIn, bytesOut };
    return flow;
  }

  function close(message: FlowCountsMessage): void {
    const flow = count(message);
    if (!flow) return;
    const { socket, counts } = flow;
    onClosed({
      key: socket.key,
      isServer: () => false,
      socket: () => socket,
      counts: () => counts,
    });
    endedHosts.set(socket.key, flow.host);
    flows.delete(message.id);
  }

  return {
    handle(message) {
      if (message.type === 'opened') open(message);
      else if (message.type === 'greeting')
        readHello(message.id, Buffer.from(message.bytes, 'base64'));
      else if (message.type === 'counted') count(message);
      else if (message.type === 'closed') close(message);
      else if (message.type === 'dropped') missed += message.count;
    },
    visit(visitor) {
      [previousEndedHosts, endedHosts] = [endedHosts, new Map()];
      for (const { socket, counts } of flows.values())
        if (!visitor.update(socket.key, counts)) visitor.add(socket, counts);
    },
    nameOf: (key) =>
      [flows.get(idOf(key))?.host, endedHosts.get(key), previousEndedHosts.get(key)].find(
        isKnownHost,
      ),
    clear: () => flows.clear(),
    takeDroppedCount() {
      const count = missed;
      missed = 0;
      return count;
    },
  };
}

/** Whether the host is known. Null counts as known: it means another host. */
const isKnownHost = (host: string | null | undefined): boolean => host !== undefined;

const noCounts: FlowCounts = { established: false, bytesIn: null, bytesOut: null };
const KEY_PREFIX = 'flowmonitor ';

const keyOf = (id: string): string => `${KEY_PREFIX}${id}`;
const idOf = (key: SocketKey): string => String(key).slice(KEY_PREFIX.length);

/** Whether the key is that of a flow from FlowMonitor. */
export const isMonitored = (key: SocketKey): boolean => String(key).startsWith(KEY_PREFIX);

/** Builds the socket of a flow, whose local endpoint is unknown. */
function socketOf({ id, protocol, address, port, process }: OpenedFlow): FlowSocket {
  return {
    key: keyOf(id),
    protocol,
    localAddress: '',
    localPort: 0,
    address: plainAddress(address),
    port,
    inode: 0,
    user: process?.user ?? null,
    owner: process && ownerOf(process),
  };
}

function ownerOf({ pid, path }: NonNullable<OpenedFlow['process']>): FlowOwner {
  const name = path?.slice(path.lastIndexOf('/') + 1) || `process ${pid}`;
  return { pid, name, path };
}
