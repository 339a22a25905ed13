import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns the executables of these processes; none if the signal is aborted meanwhile. `ps` on a Mac
 * prints their whole path.
 */
export async function readProgramPaths(
  pids: readonly number[],
  signal?: AbortSignal,
): Promise<Map<number, string>> {
  if (pids.length === 0) return new Map();
  const list = [...new Set(pids)].join(',');
  // ps exits with 1 when one process has ended; its output still lists the others.
  const { stdout } = await run('ps', ['-o', 'pid=,comm=', '-p', list], { signal }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return parseProgramPaths(stdout);
}

/** Parses lines of a process id and a path. A name without a path (a kernel process) is omitted. */
export function parseProgramPaths(output: string): Map<number, string> {
  const paths = new Map<number, string>();
  for (const [, pid, path] of output.matchAll(/^\s*(\d+)\s+(\/.*?)\s*$/gm))
    if (pid && path) paths.set(Number(pid), path);

  return paths;
}
