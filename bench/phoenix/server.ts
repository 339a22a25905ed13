import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { freePort } from '#test/support/processes.ts';
import { processorSeconds, processTree } from '../support/processes.ts';
import { phoenixEnvironment } from './environment.ts';

export interface Phoenix {
  port: number;
  /** The CPU seconds so far. */
  processor(): number;
  /** Waits until this many spans are in the database of Phoenix. */
  untilStored(spans: number): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 20;
const PATIENCE_MS = 60_000;

/** Starts Phoenix with its own SQLite database, like `phoenix serve`. */
export async function startPhoenix(): Promise<Phoenix> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-phoenix-'));
  const [port, grpcPort] = [await freePort(), await freePort()];
  const child = spawn(join(phoenixEnvironment, 'bin/phoenix'), ['serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(grpcPort),
      PHOENIX_TELEMETRY_ENABLED: 'false',
    },
    stdio: 'ignore',
  });
  await untilReady(child, port);
  const database = new Database(join(folder, 'phoenix.db'), { readonly: true });
  const count = database.prepare<[], { spans: number }>('select count(*) as spans from spans');
  return {
    port,
    processor: () =>
      processTree(child.pid as number).reduce((sum, pid) => sum + processorSeconds(pid), 0),
    async untilStored(spans) {
      let [stored, since] = [-1, performance.now()];
      while (stored < spans) {
        const now = count.get()?.spans ?? 0;
        if (now > stored) [stored, since] = [now, performance.now()];
        else if (performance.now() - since > PATIENCE_MS)
          throw new Error(`Phoenix stopped after storing ${stored} of ${spans} spans`);
        await pause(POLL_MS);
      }
    },
    async stop() {
      database.close();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null) throw new Error('Phoenix exited');
    await pause(100);
  }
}
