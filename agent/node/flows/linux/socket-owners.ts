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
  /** Returns the processes that hold these socket inodes, as far as this process may read them. */
  find: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>;
  /** The same search, one process per step, for callers that must not block for long. */
  search: (inodes: ReadonlySet<number>) => Generator<void, Map<number, FlowOwner>>;
}

/** A process that recently held a socket, with the descriptors that are likely to be sockets. */
interface Holder {
  startTime: string;
  owner: FlowOwner;
  /**
   * Descriptors that were a searched socket, the latest last: the kernel reuses closed descriptors.
   */
  usedDescriptors: Set<string>;
  /** All descriptors at the last search. */
  previousDescriptors: Set<string>;
}

/** The maximum number of holders: enough for programs that use the network all the time. */
const MAX_HOLDERS = 32;
const MAX_USED_DESCRIPTORS = 16;
const NEW_PROCESS_MS = 10_000;

/**
 * Searches the open files of processes for sockets. Each file costs a system call, so the order
 * matters: first descriptors that were recently such a socket; then new processes, which are
 * short-lived and have few files; then new descriptors of processes that recently held a socket;
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
    for (const [pid, descriptors] of candidates()) {
      if (owners.size === inodes.size) break;
      checkDescriptors(pid, descriptors, inodes, owners);
      yield;
    }
    return owners;
  }

  /**
   * The descriptors to check, step by step. A process may occur several times with different
   * descriptors.
   */
  function* candidates(): Generator<[pid: number, descriptors: readonly string[]]> {
    const recent = [...holders].toReversed();
    for (const [pid, { usedDescriptors }] of recent) yield [pid, [...usedDescriptors].toReversed()];
    const { newProcesses, others } = listProcesses();
    for (const pid of newProcesses) if (!holders.has(pid)) yield [pid, descriptorsOf(pid)];
    const rest: [number, string[]][] = [];
    for (const [pid, holder] of recent) {
      const [fresh, cached] = splitByPrevious(descriptorsOf(pid), holder);
      rest.push([pid, cached]);
      yield [pid, fresh];
    }
    yield* rest;
    for (const pid of others) if (!holders.has(pid)) yield [pid, descriptorsOf(pid)];
  }

  /** Returns the descriptors, highest first: in a process with thousands the new ones are there. */
  function descriptorsOf(pid: number): string[] {
    return openFilesOf(pid, proc).reverse();
  }

  /** Lists all processes, latest first. Processes that existed at the first search are not new. */
  function listProcesses(): { newProcesses: number[]; others: number[] } {
    const at = now();
    const before = firstSeen;
    const since = (pid: number) => before?.get(pid) ?? (before ? at : -Infinity);
    const ids = processIds(proc).toSorted((a, b) => b - a);
    firstSeen = new Map(ids.map((pid) => [pid, since(pid)]));
    for (const pid of holders.keys()) if (!firstSeen.has(pid)) holders.delete(pid);
    const isNew = (pid: number) => at - since(pid) < NEW_PROCESS_MS;
    return { newProcesses: ids.filter(isNew), others: ids.filter((pid) => !isNew(pid)) };
  }

  function checkDescriptors(
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
      addUsedDescriptor(holder.usedDescriptors, descriptor);
      owners.set(inode, holder.owner);
      if (owners.size === inodes.size) return;
    }
  }

  function holderOf(pid: number): Holder | undefined {
    const known = holders.get(pid);
    holders.delete(pid);
    const startTime = startTimeOf(pid, proc);
    if (startTime === undefined) return undefined;
    const isSame = known?.startTime === startTime && known.owner.path === executableOf(pid, proc);
    const holder = isSame
      ? known
      : {
          startTime,
          owner: describeProcess(pid, proc),
          usedDescriptors: new Set<string>(),
          previousDescriptors: new Set<string>(),
        };
    holders.set(pid, holder);
    for (const oldest of holders.keys()) {
      if (holders.size <= MAX_HOLDERS) break;
      holders.delete(oldest);
    }
    return holder;
  }
}

function addUsedDescriptor(used: Set<string>, descriptor: string): void {
  used.delete(descriptor);
  used.add(descriptor);
  for (const oldest of used) {
    if (used.size <= MAX_USED_DESCRIPTORS) break;
    used.delete(oldest);
  }
}

/** Splits descriptors into those that are new since the last search, and the others. */
function splitByPrevious(open: string[], holder: Holder): [fresh: string[], known: string[]] {
  const { previousDescriptors } = holder;
  holder.previousDescriptors = new Set(open);
  return [
    open.filter((name) => !previousDescriptors.has(name)),
    open.filter((name) => previousDescriptors.has(name)),
  ];
}
