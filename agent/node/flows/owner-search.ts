import type { Flow, FlowOwner } from '#agent/core/flow-table.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';

export interface OwnerSearch {
  /** Queues the flow for the next `searchQueued` and some later ones. */
  enqueue: (flow: Flow) => void;
  /** Searches the owners of all queued flows together: one search costs as much as many. */
  searchQueued: () => void;
  /** Searches in the next turn of the event loop, because the socket may be short-lived. */
  searchImmediately: (flow: Flow) => void;
}

/**
 * The maximum number of attempts. A visible owner is found at the first attempt, so others need
 * few.
 */
const MAX_ATTEMPTS = 3;

/**
 * The CPU budget between two polls, so that a flood of connections costs no more. A search among
 * the likely processes takes less than one, among all of them about ten.
 */
const IMMEDIATE_BUDGET_MS = 100;

export function createOwnerSearch(
  findOwners: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>,
  appOf: (process: FlowOwner) => string | undefined,
): OwnerSearch {
  const attemptsLeft = new Map<Flow, number>();
  let immediateQueue: Flow[] = [];
  let remainingMs = IMMEDIATE_BUDGET_MS;

  function search(flows: readonly Flow[]): void {
    const owners = findOwners(new Set(flows.map((flow) => flow.inode)));
    for (const flow of flows) assignOwner(flow, owners.get(flow.inode));
  }

  function assignOwner(flow: Flow, owner: FlowOwner | undefined): void {
    if (!owner) return;
    flow.owner = owner;
    flow.appId = appOf(owner) ?? null;
    attemptsLeft.delete(flow);
  }

  function searchImmediateQueue(): void {
    const flows = immediateQueue.filter((flow) => !flow.owner && !isFinished(flow));
    immediateQueue = [];
    if (flows.length === 0 || remainingMs <= 0) return;
    const before = process.threadCpuUsage();
    // A failure, such as no free file descriptor, is reported by the search of the next poll. Here
    // it would end the process, because nothing waits for this search.
    tryOrUndefined(() => search(flows));
    const { user, system } = process.threadCpuUsage(before);
    remainingMs -= (user + system) / 1000;
  }

  return {
    enqueue(flow) {
      if (flow.owner) assignOwner(flow, flow.owner);
      else if (flow.inode !== 0) attemptsLeft.set(flow, MAX_ATTEMPTS);
    },
    searchQueued() {
      remainingMs = IMMEDIATE_BUDGET_MS;
      for (const flow of attemptsLeft.keys()) if (isFinished(flow)) attemptsLeft.delete(flow);
      if (attemptsLeft.size === 0) return;
      search([...attemptsLeft.keys()]);
      for (const [flow, left] of attemptsLeft)
        if (left > 1) attemptsLeft.set(flow, left - 1);
        else attemptsLeft.delete(flow);
    },
    searchImmediately(flow) {
      // Connections that begin together share one search.
      if (immediateQueue.length === 0) setImmediate(searchImmediateQueue);
      immediateQueue.push(flow);
    },
  };
}

function isFinished(flow: Flow): boolean {
  return flow.phase === 'ended' || flow.phase === 'left-out';
}
