import type { Flow, FlowOwner } from '#agent/core/flow-table.ts';

export interface OwnerSearch {
  /** To be found in the next `run`, and in a few after it. */
  want: (flow: Flow) => void;
  /** Looks for the owners of all wanted flows at once: one search costs as much as many. */
  run: () => void;
  /** The same as soon as the event loop turns, because the socket of the flow may not last. */
  findSoon: (flow: Flow) => void;
}

/** A process that holds a socket and may be seen is found at once; the others are not worth more. */
const tries = 3;

/**
 * Of the processor, between two runs, so that a flood of connections costs no more. A search among
 * the likely processes takes less than one, among all of them about ten.
 */
const soonMs = 100;

export function createOwnerSearch(
  findOwners: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>,
  appOf: (process: FlowOwner) => string | undefined,
): OwnerSearch {
  const wanted = new Map<Flow, number>();
  let soon: Flow[] = [];
  let leftMs = soonMs;

  function search(flows: readonly Flow[]): void {
    const owners = findOwners(new Set(flows.map((flow) => flow.inode)));
    for (const flow of flows) give(flow, owners.get(flow.inode));
  }

  function give(flow: Flow, owner: FlowOwner | undefined): void {
    if (!owner) return;
    flow.owner = owner;
    flow.appId = appOf(owner) ?? null;
    wanted.delete(flow);
  }

  function searchSoon(): void {
    const flows = soon.filter((flow) => !flow.owner && !isOver(flow));
    soon = [];
    if (flows.length === 0 || leftMs <= 0) return;
    const before = process.threadCpuUsage();
    search(flows);
    const { user, system } = process.threadCpuUsage(before);
    leftMs -= (user + system) / 1000;
  }

  return {
    want(flow) {
      if (flow.owner) give(flow, flow.owner);
      else if (flow.inode !== 0) wanted.set(flow, tries);
    },
    run() {
      leftMs = soonMs;
      for (const flow of wanted.keys()) if (isOver(flow)) wanted.delete(flow);
      if (wanted.size === 0) return;
      search([...wanted.keys()]);
      for (const [flow, left] of wanted) {
        if (left > 1) wanted.set(flow, left - 1);
        else wanted.delete(flow);
      }
    },
    findSoon(flow) {
      // Connections that begin together are searched for together.
      if (soon.length === 0) setImmediate(searchSoon);
      soon.push(flow);
    },
  };
}

function isOver(flow: Flow): boolean {
  return flow.phase === 'ended' || flow.phase === 'left-out';
}
