import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { scriptOf } from './process-script.ts';
import { tryOrUndefined } from '../../try-or-undefined.ts';

/** The ids of all processes, in no particular order. */
export function processIds(proc = '/proc'): number[] {
  return readdirSync(proc)
    .filter((entry) => entry.charCodeAt(0) >= 48 && entry.charCodeAt(0) <= 57)
    .map(Number);
}

/**
 * Returns the start time of a process in ticks since boot, which together with the id identifies
 * it. It is field 22 of stat; the command name before it may contain spaces and parentheses.
 */
export function startTimeOf(pid: number, proc = '/proc'): string | undefined {
  const stat = tryOrUndefined(() => readFileSync(`${proc}/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/**
 * Returns the path of the executable, without the suffix ` (deleted)` that it gets if it was
 * replaced while the program runs.
 */
export function executableOf(pid: number, proc = '/proc'): string | null {
  const path = tryOrUndefined(() => readlinkSync(`${proc}/${pid}/exe`));
  return path?.replace(/ \(deleted\)$/, '') ?? null;
}

/**
 * Describes a process as the owner of flows. Its name and path are the executable's, whatever
 * script it runs.
 */
export function describeProcess(pid: number, proc = '/proc'): FlowOwner {
  const path = executableOf(pid, proc);
  const script = path === null ? null : scriptOf(pid, path, proc);
  return { pid, name: nameOf(pid, path, proc), path, ...(script === null ? {} : { script }) };
}

/** The names of its open file descriptors; empty if it has ended or is not readable. */
export function openFilesOf(pid: number, proc = '/proc'): string[] {
  return tryOrUndefined(() => readdirSync(`${proc}/${pid}/fd`)) ?? [];
}

/** The inode of the socket with this descriptor; undefined if it is not a socket. */
export function socketAt(pid: number, descriptor: string, proc = '/proc'): number | undefined {
  const target = tryOrUndefined(() => readlinkSync(`${proc}/${pid}/fd/${descriptor}`));
  return target?.startsWith('socket:[') ? Number(target.slice(8, -1)) : undefined;
}

/**
 * The process's own name, unless the executable's is more informative: the kernel truncates names
 * to 15 bytes, and Node names its main thread MainThread.
 */
function nameOf(pid: number, path: string | null, proc: string): string {
  const name = tryOrUndefined(() => readFileSync(`${proc}/${pid}/comm`, 'utf8'))?.trimEnd() ?? '';
  const file = path === null ? '' : basename(path);
  const isCut = name.length === 15 && file.startsWith(name);
  return name === '' || isCut || (name === 'MainThread' && file !== '') ? file : name;
}
