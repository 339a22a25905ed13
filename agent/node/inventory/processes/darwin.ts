import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Scan } from '../platform-paths/platform-paths.ts';
import type { RunningProcess } from './process.ts';

const run = promisify(execFile);
const MAX_WORDS = 8;
const commandOptions = { timeout: 20_000, maxBuffer: 32 * 1024 * 1024 };

type Listens = RunningProcess['listens'][number];

/**
 * Parses the output of `lsof -F`, one field per line: `p` starts a process, `n` is the address of a
 * socket.
 */
export function readLsof(output: string): ReadonlyMap<number, Listens[]> {
  const found = new Map<number, Listens[]>();
  let pid = 0;
  for (const line of output.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const socket = /^n(.*):(\d+)$/.exec(line);
    if (!socket) continue;
    const address = (socket[1] ?? '').replace(/^\[|\]$/g, '').replace(/^\*$/, '0.0.0.0');
    found.set(pid, [...(found.get(pid) ?? []), { address, port: Number(socket[2]) }]);
  }
  return found;
}

/**
 * Parses the output of `ps -o pid=,user=,comm=`: on macOS `comm` is the whole path of the
 * executable.
 */
export function readPs(output: string): { pid: number; user: string; path: string }[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, user = '', path = ''] = /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), user, path }];
  });
}

function readArguments(output: string): ReadonlyMap<number, string[]> {
  return new Map(
    output.split('\n').flatMap((line) => {
      const [, pid, words] = /^\s*(\d+)\s+(.+)$/.exec(line) ?? [];
      return pid && words ? [[Number(pid), words.split(/\s+/).slice(0, MAX_WORDS)]] : [];
    }),
  );
}

/** Returns the output even if lsof exits with 1, as it does when there is nothing to list. */
const output = (program: string, args: string[]) =>
  run(program, args, commandOptions).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );

/** Lists running processes with the sockets they listen on, with two tools of the system. */
export async function listProcesses({ tree }: Scan): Promise<RunningProcess[]> {
  // The tools describe this machine, not a tree below another root.
  if (tree.root !== '/') return [];
  const [sockets, processes, commands] = await Promise.all([
    output('/usr/sbin/lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fpcn']),
    output('/bin/ps', ['-axww', '-o', 'pid=,user=,comm=']),
    output('/bin/ps', ['-axww', '-o', 'pid=,args=']),
  ]);
  const listens = readLsof(sockets);
  const words = readArguments(commands);
  return readPs(processes).map(({ pid, user, path }) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    path: path.startsWith('/') ? path : null,
    user,
    words: words.get(pid) ?? [],
    listens: listens.get(pid) ?? [],
  }));
}
