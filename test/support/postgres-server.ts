import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './processes.ts';
import { findPostgres, type PostgresProgram } from './postgres-program.ts';

interface PostgresOptions {
  /** Settings as `name=value`. */
  settings?: readonly string[];
  /** The data folder; by default a temporary one, which is deleted with the server. */
  keptIn?: string;
  /** The port; by default a free one. */
  port?: number;
}

/** Starts a PostgreSQL server from the binaries in the npm package. */
export async function startPostgres({
  settings = [],
  keptIn,
  port: givenPort,
}: PostgresOptions = {}) {
  const program = await findPostgres();
  if (!program) throw new Error('the PostgreSQL of npm does not run on this machine');
  if (keptIn) await mkdir(keptIn, { recursive: true });
  const folder = keptIn ?? (await mkdtemp(join(tmpdir(), 'gatehouse-postgres-')));
  const data = join(folder, 'data');
  const { owner } = program;
  if (owner) await chown(folder, owner.uid, owner.gid);
  if (!existsSync(data)) makeCluster(program, data);
  const port = givenPort ?? (await freePort());
  const flags = [
    ...settings,
    'listen_addresses=127.0.0.1',
    'max_connections=200',
    'unix_socket_directories=',
  ];
  const [command, args, options] = program.command(program.postgres, [
    '-D',
    data,
    '-p',
    String(port),
    ...flags.flatMap((flag) => ['-c', flag]),
  ]);
  const child = spawn(command, args, { ...options, stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url, child);
  return {
    url,
    pid: child.pid as number,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await gone;
      if (!keptIn) await rm(folder, { recursive: true, force: true });
    },
  };
}

function makeCluster({ initdb, command }: PostgresProgram, data: string): void {
  const as = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  const made = spawnSync(...command(initdb, ['-D', data, ...as, '--no-sync']));
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr.toString()}`);
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || server.signalCode !== null)
        throw new Error('PostgreSQL ended while it was starting', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
