import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FlowCounts } from '#agent/core/flow-table.ts';
import { LSOF_FIELDS, readLsof } from './lsof-output.ts';
import { readProgramPaths } from './program-paths.ts';
import type { ServerPorts } from './server-ports.ts';
import type { PollResult, SocketVisitor } from './flow-source.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 << 20;
/**
 * The times in ms after which the programs are killed. The next poll waits for them, and so does a
 * stopping agent.
 */
const defaultTimeouts = { lsof: 30_000, ps: 30_000 };

/**
 * Polls the sockets of a Mac with lsof, which lists all of them for root, else those of this user.
 * It counts no bytes, and misses sockets that open and close between two polls.
 */
export async function pollWithLsof(
  visitor: SocketVisitor,
  ports: ServerPorts,
  timeouts = defaultTimeouts,
): Promise<PollResult> {
  const output = await listSockets(timeouts.lsof);
  if (output === undefined)
    return { complete: false, error: 'network flows are not observed: lsof cannot be run' };

  const { connected, servers } = readLsof(output);
  ports.startPoll();
  for (const { protocol, port } of servers) ports.add(protocol, port);
  const isNew = connected.filter(({ socket, isEstablished }) => {
    const counts: FlowCounts = { established: isEstablished, bytesIn: null, bytesOut: null };
    return !visitor.update(socket.key, counts);
  });
  const pids = isNew.flatMap(({ socket }) => socket.owner?.pid ?? []);
  const pathOf = await readProgramPaths(pids, AbortSignal.timeout(timeouts.ps));
  for (const { socket, isEstablished } of isNew) {
    if (socket.owner) socket.owner.path = pathOf.get(socket.owner.pid) ?? null;
    visitor.add(socket, { established: isEstablished, bytesIn: null, bytesOut: null });
  }
  return { complete: true };
}

/** Lists the sockets. lsof exits with 1 when there is no such socket, which is a valid result. */
async function listSockets(timeout: number): Promise<string | undefined> {
  const args = ['-nP', '-i', '+c0', `-F${LSOF_FIELDS}`];
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout, killSignal: 'SIGKILL' } as const;
  try {
    return (await run('lsof', args, limits)).stdout;
  } catch (error) {
    const { code, stdout } = error as { code?: number | string; stdout?: string };
    return code === 1 ? (stdout ?? '') : undefined;
  }
}
