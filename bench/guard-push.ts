/**
 * Measures a global Guard change for a fleet of connected devices: the time until the last device
 * has received it, and until the last acknowledgement is stored. Then ten changes in a row.
 *
 * guard-push.ts [DEVICES]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { freePort } from '#test/support/processes.ts';
import { startPostgres } from '#test/support/postgres-server.ts';
import {
  byKey,
  ownerHeaders,
  residentMb,
  type Server,
  startControlPlane,
} from './support/processes.ts';
import type { FleetOrder, FleetReport } from './support/device-fleet.ts';
import { percentile } from './support/load.ts';
import { type Row, writeSection } from './support/report.ts';

const DEVICES = Number(process.argv[2] ?? 2000);
const DEVICES_PER_PROFILE = 100;
const GOAL = '≤ 5 s';
const GIVE_UP_MS = 10 * 60_000;

const rows: Row[] = [];
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const spread = (times: readonly number[]): string => {
  const sorted = [...times].sort((a, b) => a - b);
  return [50, 99].map((p) => seconds(percentile(sorted, p))).join(' / ');
};

function startFleet() {
  const child = fork(join(import.meta.dirname, 'support/device-fleet.ts'));
  return {
    async ask<D extends FleetReport['done']>(order: FleetOrder & { do: D }) {
      const signal = AbortSignal.timeout(GIVE_UP_MS);
      const answered = once(child, 'message', { signal }) as Promise<[FleetReport]>;
      child.send(order);
      const [answer] = await answered;
      return answer as FleetReport & { done: D };
    },
    stop: () => void child.kill(),
  };
}

/** The keys of as many profiles as the devices need, and their common root. */
async function profilesOf(server: Server) {
  const { materializeManagedConfig, trustedRoots } =
    await import('#profile-builder/materialize.ts');
  const { parseBinary } = await import('plist');
  const keys: string[] = [];
  let root = '';
  while (keys.length * DEVICES_PER_PROFILE < DEVICES) {
    const profile = await byKey(server).deployment.getMdmProfile({ query: {} });
    const { api_key } = parseBinary(materializeManagedConfig(profile).plist) as {
      api_key: string;
    };
    keys.push(api_key);
    root = trustedRoots(profile);
  }
  return { keys, root };
}

/**
 * The times at which the database had the version for one device, for two, and so on, until all
 * have it.
 */
async function storedTimes({ db }: Storage, version: number): Promise<number[]> {
  const times: number[] = [];
  const giveUp = Date.now() + GIVE_UP_MS;
  while (times.length < DEVICES && Date.now() < giveUp) {
    const { count } = await db
      .selectFrom('devices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('applied_version', '>=', version)
      .executeTakeFirstOrThrow();
    const now = performance.timeOrigin + performance.now();
    while (times.length < count) times.push(now);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return times;
}

async function measure(name: string, databaseUrl?: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const devicePort = await freePort();
  const server = await startControlPlane({
    DATA_DIR: dataDir,
    DEVICE_PORT: String(devicePort),
    DEVICE_URL: `https://localhost:${devicePort}`,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  });
  const storage = await openStorage({ databaseUrl, dataDir, onProblem: console.error });
  const fleet = startFleet();
  try {
    await run(name, server, storage, fleet, `https://localhost:${devicePort}`);
  } finally {
    fleet.stop();
    await storage.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function run(
  name: string,
  server: Server,
  storage: Storage,
  fleet: ReturnType<typeof startFleet>,
  url: string,
): Promise<void> {
  // Signing in uses additional memory for a while.
  const before = residentMb(server.pid);
  const headers = await ownerHeaders(server);
  const { guard } = createClient(contract, {
    baseUrl: `http://127.0.0.1:${server.port}`,
    headers: () => headers,
  });
  const change = async (blocked: string): Promise<number> =>
    (await guard.putLayer({ body: { layer: 'global', config: { blocked_hosts: [blocked] } } }))
      .version;
  const { keys, root } = await profilesOf(server);
  await fleet.ask({ do: 'connect', url, root, keys, devices: DEVICES });
  const connected = residentMb(server.pid);
  const version = (await guard.resolveGuard({ query: {} })).version + 1;

  const began = performance.timeOrigin + performance.now();
  const watching = fleet.ask({ do: 'watch', version });
  const storing = storedTimes(storage, version);
  await change('one.example');
  const { arrivals } = await watching;
  const arrived = arrivals.map((at) => at - began);
  const stored = (await storing).map((at) => at - began);
  const add = (what: string, measured: string, goal: string): void => {
    rows.push([`${name}: ${what}`, measured, goal]);
    console.log(rows.at(-1)?.join('  '));
  };
  add('the last device has received it', seconds(Math.max(...arrived)), GOAL);
  add('a device has received it, p50 / p99', spread(arrived), '');
  add('the last acknowledgement is stored', seconds(Math.max(...stored)), GOAL);
  add('an acknowledgement is stored, p50 / p99', spread(stored), '');

  const tenth = fleet.ask({ do: 'watch', version: version + 10 });
  const row = performance.timeOrigin + performance.now();
  for (let i = 0; i < 10; i += 1) await change(`${i}.example`);
  const quick = await tenth;
  add(
    'ten changes in a row: the last device has received the tenth',
    seconds(Math.max(...quick.arrivals) - row),
    GOAL,
  );
  add('messages to each device for these ten', (quick.pushes / DEVICES).toFixed(1), '< 10');
  const memory = [before, connected, residentMb(server.pid)].map((mb) => mb.toFixed(0));
  add('resident memory at start, with all connected, at the end', `${memory.join(', ')} MB`, '');
}

await measure('SQLite');
const postgres = await startPostgres();
try {
  await measure('PostgreSQL', postgres.url);
} finally {
  await postgres.stop();
}
writeSection(
  'guardPush',
  [`${DEVICES} devices`, 'measured', 'goal'],
  rows,
  'Devices are simulated by a process of its own on the same machine: TLS with client certificates, ' +
    'one WebSocket each, each acknowledges at once.',
);
