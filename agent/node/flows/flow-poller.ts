import type { FlowReport } from '#contract/flows.ts';
import {
  createFlowTable,
  type Flow,
  type FlowOwner,
  type FlowSocket,
} from '#agent/core/flow-table.ts';
import type { FlowState } from './flow-state.ts';
import type { HostNames } from './host-names.ts';
import { createOwnerSearch } from './owner-search.ts';
import type {
  FlowSource,
  ClosedSocket,
  SocketVisitor,
  SourceEvents,
} from './source/flow-source.ts';
import { isLoopback, plainAddress } from '#agent/core/ip-address.ts';

export interface ExclusionRules {
  isServerPort: (protocol: 'tcp' | 'udp', port: number) => boolean;
  /** The current addresses of the control plane. */
  excluded: readonly { address: string; port: number }[];
  ownPid: number;
}

/**
 * Whether a flow is not reported: local traffic, the control plane, the agent's own traffic, and
 * connections that a server on this machine accepted (its local port is a server's).
 */
export function isExcluded(flow: Flow, rules: ExclusionRules): boolean {
  return (
    isLoopback(flow.address) ||
    flow.address === flow.localAddress ||
    flow.owner?.pid === rules.ownPid ||
    rules.isServerPort(flow.protocol, flow.localPort) ||
    rules.excluded.some(
      ({ address, port }) => port === flow.port && plainAddress(address) === flow.address,
    )
  );
}

/** The report of a flow. Names and paths are truncated to the limits of the contract. */
export function toFlowReport(flow: Flow): FlowReport {
  return {
    id: flow.id,
    app_id: flow.appId,
    process: flow.owner?.name.slice(0, 256) ?? null,
    path: flow.owner?.path?.slice(0, 4096) ?? null,
    pid: flow.owner?.pid ?? null,
    user: flow.user?.slice(0, 256) ?? null,
    host: flow.host,
    address: flow.address,
    port: flow.port,
    protocol: flow.protocol,
    started_at: flow.startedAt,
    ended_at: flow.endedAt,
    bytes_in: flow.bytesIn,
    bytes_out: flow.bytesOut,
  };
}

export interface FlowPollerOptions {
  reportIntervalMs?: number;
  exclude: () => { address: string; port: number }[];
  appOf: (process: FlowOwner) => string | undefined;
  now: () => number;
}

export interface FlowPoller extends SourceEvents {
  /** Restores the flows of an earlier run. Returns the reports of those that have ended. */
  restore: (state: FlowState) => FlowReport[];
  /** Polls all sockets and returns the flows to report. */
  poll: () => Promise<{ reports: FlowReport[]; error?: string }>;
  openFlows: () => Flow[];
}

/** Handles each poll of the observer, and events that the source reports between polls. */
export function createFlowPoller(
  source: FlowSource,
  names: HostNames,
  options: FlowPollerOptions,
): FlowPoller {
  const { reportIntervalMs = 60_000, exclude, appOf, now } = options;
  const { flowId: idOf, maxMisses } = source;
  const table = createFlowTable({ idOf, reportIntervalMs, maxMisses });
  const owners = createOwnerSearch(source.findOwners, appOf);
  let newFlows: Flow[] = [];

  const visitor: SocketVisitor = {
    update: table.update,
    add(socket, counts) {
      newFlows.push(table.add(socket, now()));
      table.update(socket.key, counts);
    },
  };

  function dropExcluded(flows: readonly Flow[]): Flow[] {
    if (flows.length === 0) return [];
    const { isServerPort } = source;
    const rules = { isServerPort, excluded: exclude(), ownPid: process.pid };
    return flows.filter((flow) => {
      const isDropped = isExcluded(flow, rules);
      if (isDropped) table.exclude(flow);
      return !isDropped;
    });
  }

  /** Excludes flows twice: most before the owner search, the rest by their owner. */
  function processNewFlows(): void {
    const remaining = dropExcluded(newFlows);
    remaining.forEach(owners.enqueue);
    owners.searchQueued();
    dropExcluded(remaining);
    newFlows = [];
  }

  function nameFlows(): void {
    const youngSince = now() - names.finalAfterMs;
    for (const flow of table.all()) {
      if (flow.phase === 'left-out' || flow.startedAt < youngSince) continue;
      const name = names.nameOf(flow);
      if (name !== undefined) flow.host = name;
    }
  }

  return {
    onConnecting(socket: FlowSocket) {
      if (table.has(socket.key)) return;
      const flow = table.add(socket, now());
      newFlows.push(flow);
      if (dropExcluded([flow]).length > 0) owners.searchImmediately(flow);
    },
    onClosed(end: ClosedSocket) {
      if (table.has(end.key)) {
        table.close(end.key, end.counts, now());
        return true;
      }
      const socket = end.isServer() ? undefined : end.socket();
      const counts = socket?.protocol === 'tcp' ? end.counts() : undefined;
      if (!socket || !counts?.established) return false;
      newFlows.push(table.add(socket, now()));
      table.close(socket.key, () => counts, now());
      return false;
    },
    restore(state) {
      if (state.scope !== source.scope)
        return state.flows.map((flow) => toFlowReport({ ...flow, endedAt: flow.lastSeen }));

      state.flows.forEach(table.restore);
      return [];
    },
    async poll() {
      table.startPoll(now());
      const result = await source.poll(visitor);
      if (result.complete) table.endPoll();
      processNewFlows();
      nameFlows();
      const reports = table.takeReports(now()).map(toFlowReport);
      return 'error' in result ? { reports, error: result.error } : { reports };
    },
    openFlows: () => [...table.all()].filter((flow) => flow.phase === 'open'),
  };
}
