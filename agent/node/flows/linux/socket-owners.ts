import type { FlowOwner } from '#agent/core/flow-table.ts';
import {
  describeProcess,
  executableOf,
  openFilesOf,
  processIds,
  socketAt,
  startTimeOf,
} from './process.ts';

export interface SocketOwners {
  /** Which processes hold these socket inodes, as far as this process may look. */
  find: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>;
  /** The same, one process a step, for whoever must not stop for long. */
  search: (inodes: ReadonlySet<number>) => Generator<void, Map<number, FlowOwner>>;
}

/** A process that held a socket lately, and where in it the next one is likely to be. */
interface Holder {
  startTime: string;
  owner: FlowOwner;
  /** Descriptors that held a wanted socket once: closed ones are given out again first. */
  used: Set<string>;
  /** All descriptors at the last search. */
  seen: Set<string>;
}

/** Enough for the programs that talk to the network all the time. */
const mostHolders = 32;
const youngMs = 10_000;

/**
 * Looks for sockets among the open files of processes. Each file is a system call, so the order
 * matters: first the processes that have just started (they may be gone soon, and have few files),
 * then those that held a socket lately, in them the files that are new or were such a socket once;
 * then all other files and processes.
 */
export function createSocketOwners(proc = '/proc', now = () => performance.now()): SocketOwners {
  const holders = new Map<number, Holder>();
  let firstSeen: Map<number, number> | undefined;

  return {
    find(inodes) {
      const steps = search(inodes);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    },
    search,
  };

  function* search(inodes: ReadonlySet<number>): Generator<void, Map<number, FlowOwner>> {
    const owners = new Map<number, FlowOwner>();
    for (const [pid, descriptors] of places()) {
      if (owners.size === inodes.size) break;
      lookAt(pid, descriptors, inodes, owners);
      yield;
    }
    return owners;
  }

  /** Where to look, one process after the other; a holder of sockets comes up twice. */
  function* places(): Generator<[pid: number, descriptors: readonly string[]]> {
    const { young, others } = listProcesses();
    const first = new Set([...young, ...[...holders.keys()].toReversed()]);
    const rest: [number, readonly string[]][] = [];
    for (const pid of first) {
      const [likely, unlikely] = divide(openFilesOf(pid, proc), holders.get(pid));
      yield [pid, likely];
      rest.push([pid, unlikely]);
    }
    yield* rest;
    for (const pid of others) if (!first.has(pid)) yield [pid, openFilesOf(pid, proc)];
  }

  /** All processes, the latest first. Those that were there before the first look are not young. */
  function listProcesses(): { young: number[]; others: number[] } {
    const at = now();
    const before = firstSeen;
    const since = (pid: number) => before?.get(pid) ?? (before ? at : -Infinity);
    const ids = processIds(proc).toSorted((a, b) => b - a);
    firstSeen = new Map(ids.map((pid) => [pid, since(pid)]));
    for (const pid of holders.keys()) if (!firstSeen.has(pid)) holders.delete(pid);
    const isYoung = (pid: number) => at - since(pid) < youngMs;
    return { young: ids.filter(isYoung), others: ids.filter((pid) => !isYoung(pid)) };
  }

  function lookAt(
    pid: number,
    descriptors: readonly string[],
    inodes: ReadonlySet<number>,
    owners: Map<number, FlowOwner>,
  ): void {
    for (const descriptor of descriptors) {
      const inode = socketAt(pid, descriptor, proc);
      if (inode === undefined || !inodes.has(inode) || owners.has(inode)) continue;
      const holder = holderOf(pid);
      if (!holder) return;
      holder.used.add(descriptor);
      owners.set(inode, holder.owner);
      if (owners.size === inodes.size) return;
    }
  }

  function holderOf(pid: number): Holder | undefined {
    const known = holders.get(pid);
    holders.delete(pid);
    const startTime = startTimeOf(pid, proc);
    if (startTime === undefined) return undefined;
    const isSame =
      known?.startTime === startTime && known.owner.path === executableOf(pid, proc);
    const holder = isSame
      ? known
      : { startTime, owner: describeProcess(pid, proc), used: new Set<string>(), seen: new Set<string>() };
    holders.set(pid, holder);
    for (const oldest of holders.keys()) {
      if (holders.size <= mostHolders) break;
      holders.delete(oldest);
    }
    return holder;
  }
}

/** The highest descriptors come first: in a process with thousands, the new ones are there. */
function divide(open: string[], holder: Holder | undefined): [likely: string[], unlikely: string[]] {
  open.reverse();
  if (!holder) return [open, []];
  const { seen, used } = holder;
  const isLikely = (descriptor: string) => used.has(descriptor) || !seen.has(descriptor);
  const divided: [string[], string[]] = [open.filter(isLikely), open.filter((d) => !isLikely(d))];
  holder.seen = new Set(open);
  return divided;
}
