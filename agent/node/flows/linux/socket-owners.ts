import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { FlowOwner } from '#agent/core/flow-table.ts';

export interface SocketOwners {
  /** Which processes hold these socket inodes, as far as this process may look. */
  find: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>;
  /** The same, one process a step, for whoever must not stop for long. */
  search: (inodes: ReadonlySet<number>) => Generator<void, Map<number, FlowOwner>>;
}

/** Enough for the programs that talk to the network all the time. */
const mostRecent = 32;

/**
 * Looks for sockets among the open files of processes. Those that held one lately come first, then
 * the youngest: most searches end after a few processes instead of going through all.
 */
export function createSocketOwners(proc = '/proc'): SocketOwners {
  const recent = new Map<number, { startTime: string; owner: FlowOwner }>();

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
    const searched = new Set<number>();
    for (const pid of candidates()) {
      if (owners.size === inodes.size) break;
      if (searched.has(pid)) continue;
      searched.add(pid);
      findIn(pid, inodes, owners);
      yield;
    }
    return owners;
  }

  function* candidates(): Generator<number> {
    yield* [...recent.keys()].toReversed();
    yield* processIds(proc).toSorted((a, b) => b - a);
  }

  function findIn(pid: number, inodes: ReadonlySet<number>, owners: Map<number, FlowOwner>): void {
    for (const inode of socketsOf(proc, pid)) {
      if (!inodes.has(inode) || owners.has(inode)) continue;
      const owner = describe(pid);
      if (owner) owners.set(inode, owner);
      if (owners.size === inodes.size) return;
    }
  }

  /** A process id alone does not name a process for long; with its start time it does. */
  function describe(pid: number): FlowOwner | undefined {
    const known = recent.get(pid);
    recent.delete(pid);
    const startTime = startTimeOf(proc, pid);
    if (startTime === undefined) return undefined;
    const path = executableOf(proc, pid);
    const isSame = known?.startTime === startTime && known.owner.path === path;
    const owner = isSame ? known.owner : { pid, name: nameOf(proc, pid, path), path };
    recent.set(pid, { startTime, owner });
    for (const oldest of recent.keys()) {
      if (recent.size <= mostRecent) break;
      recent.delete(oldest);
    }
    return owner;
  }
}

function processIds(proc: string): number[] {
  return readdirSync(proc)
    .filter((entry) => entry.charCodeAt(0) >= 48 && entry.charCodeAt(0) <= 57)
    .map(Number);
}

/** The highest descriptors come first: in a process with thousands, the new ones are there. */
function* socketsOf(proc: string, pid: number): Generator<number> {
  const folder = `${proc}/${pid}/fd`;
  const open = attempt(() => readdirSync(folder)) ?? [];
  for (let i = open.length - 1; i >= 0; i--) {
    const target = attempt(() => readlinkSync(`${folder}/${open[i]}`));
    if (target?.startsWith('socket:[')) yield Number(target.slice(8, -1));
  }
}

/** Field 22 of stat; the command name before it may hold spaces and parentheses. */
function startTimeOf(proc: string, pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`${proc}/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** An executable that was replaced by an update while it runs has ` (deleted)` behind its path. */
function executableOf(proc: string, pid: number): string | null {
  const path = attempt(() => readlinkSync(`${proc}/${pid}/exe`));
  return path?.replace(/ \(deleted\)$/, '') ?? null;
}

/**
 * The name that the process goes by, unless it says less than the name of its executable: the
 * kernel cuts it off after 15 bytes, and Node names its main thread MainThread.
 */
function nameOf(proc: string, pid: number, path: string | null): string {
  const name = attempt(() => readFileSync(`${proc}/${pid}/comm`, 'utf8'))?.trimEnd() ?? '';
  const file = path === null ? '' : basename(path);
  const isCut = name.length === 15 && file.startsWith(name);
  return name === '' || isCut || (name === 'MainThread' && file !== '') ? file : name;
}

/** Processes come and go, and not all may be looked at: neither is an error. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
