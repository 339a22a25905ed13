import type { FlowReport } from '#contract/fleet.ts';
import { createFlowTable } from '#agent/core/flow-table.ts';
import type { Flow, FlowOwner, FlowSocket } from '#agent/core/flow-table.ts';
import { toReport } from './flow-report.ts';
import type { FlowState } from './flow-state.ts';
import type { HostNames } from './host-names.ts';
import { isLeftOut } from './left-out.ts';
import { createOwnerSearch } from './owner-search.ts';
import type { FlowSource, SocketEnd, SocketVisitor, SourceEvents } from './source/source.ts';

export interface RoundOptions {
  reportEveryMs?: number;
  exclude: () => { address: string; port: number }[];
  appOf: (process: FlowOwner) => string | undefined;
  now: () => number;
}

export interface Round extends SourceEvents {
  /** Takes over the flows of an earlier run; answers the reports of those that cannot last. */
  resume: (state: FlowState) => FlowReport[];
  /** Looks at all sockets, finds out what is new about them, answers what is to be reported. */
  look: () => Promise<{ reports: FlowReport[]; problem?: string }>;
  openFlows: () => Flow[];
}

/** Handles each poll of the observer, and events that the source reports between polls. */
export function createRound(source: FlowSource, names: HostNames, options: RoundOptions): Round {
  const { reportEveryMs = 60_000, exclude, appOf, now } = options;
  const { flowId: idOf, patience } = source;
  const table = createFlowTable({ idOf, reportEveryMs, patience });
  const owners = createOwnerSearch(source.findOwners, appOf);
  let fresh: Flow[] = [];

  const visitor: SocketVisitor = {
    see: table.see,
    add(socket, counts) {
      fresh.push(table.add(socket, now()));
      table.see(socket.key, counts);
    },
  };

  function dropLeftOut(flows: readonly Flow[]): Flow[] {
    if (flows.length === 0) return [];
    const { isServerPort } = source;
    const rules = { isServerPort, excluded: exclude(), ownPid: process.pid };
    return flows.filter((flow) => {
      const isOut = isLeftOut(flow, rules);
      if (isOut) table.leaveOut(flow);
      return !isOut;
    });
  }

  /** Twice: most of what is left out need not be searched for, the rest shows by its owner. */
  function judgeFresh(): void {
    const judged = dropLeftOut(fresh);
    judged.forEach(owners.want);
    owners.run();
    dropLeftOut(judged);
    fresh = [];
  }

  function nameFlows(): void {
    const youngSince = now() - names.settledAfterMs;
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
      fresh.push(flow);
      if (dropLeftOut([flow]).length > 0) owners.findSoon(flow);
    },
    onClosed(end: SocketEnd) {
      if (table.has(end.key)) {
        table.close(end.key, end.counts, now());
        return true;
      }
      const socket = end.isServer() ? undefined : end.socket();
      const counts = socket?.protocol === 'tcp' ? end.counts() : undefined;
      if (!socket || !counts?.established) return false;
      fresh.push(table.add(socket, now()));
      table.close(socket.key, () => counts, now());
      return false;
    },
    resume(state) {
      if (state.scope !== source.scope) {
        return state.flows.map((flow) => toReport({ ...flow, endedAt: flow.lastSeen }));
      }
      state.flows.forEach(table.restore);
      return [];
    },
    async look() {
      table.startLook(now());
      const result = await source.look(visitor);
      if (result.complete) table.endLook();
      judgeFresh();
      nameFlows();
      const reports = table.takeReports(now()).map(toReport);
      return 'problem' in result ? { reports, problem: result.problem } : { reports };
    },
    openFlows: () => [...table.all()].filter((flow) => flow.phase === 'open'),
  };
}
