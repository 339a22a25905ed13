/**
 * Measures how fast device flows are accepted over mutual TLS, compared with LLM calls over the
 * recording API of the same process. Half of the flows in a batch are new, and the others end flows
 * of the previous batch.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enrollDevice } from '#test/support/device.ts';
import { flowOf } from '#test/support/device-reports.ts';
import { freePort } from '#test/support/processes.ts';
import { startPostgres } from '#test/support/postgres-server.ts';
import {
  byKey,
  KEY,
  processorSeconds,
  type Server,
  startControlPlane,
} from './support/processes.ts';
import { pick, seeded } from './support/calls.ts';
import { postRequest, runLoad } from './support/load.ts';
import { requestsFor } from './support/measure.ts';
import { type Row, writeSection } from './support/report.ts';

const ROWS = 20_000;
const ROUNDS = 15;
const CONNECTIONS = 4;
const CALLS = { batch: 100, connections: CONNECTIONS, requests: ROWS / 100, bytes: 1000 };
const PATH = '/api/svc/v1/endpoint/flows/';

const random = seeded(11);
const HOSTS = ['api.openai.com', 'api.anthropic.com', 'claude.ai', null, null, null];
const PROCESSES = ['claude', 'node', 'Cursor Helper', 'curl', 'python3.13'];

let made = 0;
/**
 * Creates an id. Ids are sequential like those of an agent, so that the ids of a batch are stored
 * next to each other.
 */
const nextId = (): string => `fl_5eed5eed5eed5eed${(made += 1).toString(16).padStart(16, '0')}`;

/** Creates complete requests with batches that were not sent before. */
function flowRequests(size: number): Buffer[] {
  const began = Date.now() - 3_600_000;
  let ending: ReturnType<typeof flowOf>[] = [];
  return Array.from({ length: ROWS / size }, (_, batch) => {
    const opening = Array.from({ length: size - ending.length }, (__, i) =>
      flowOf(nextId(), {
        host: pick(random, HOSTS),
        process: pick(random, PROCESSES),
        started_at: new Date(began + batch * 100 + i).toISOString(),
      }),
    );
    const ended_at = new Date(began + batch * 100 + 5000).toISOString();
    const flows = [...opening, ...ending.map((flow) => ({ ...flow, ended_at, bytes_in: 99_999 }))];
    ending = opening.slice(0, size / 2);
    return postRequest(PATH, KEY, { batch_id: randomUUID(), flows });
  });
}

interface Cost {
  rowsPerSecond: number;
  /** The CPU microseconds of the control plane, which other programs hardly affect. */
  processorPerRow: number;
}

async function costOf(server: Server, load: Parameters<typeof runLoad>[0]): Promise<Cost> {
  const before = processorSeconds(server.pid);
  const { seconds } = await runLoad(load);
  const used = processorSeconds(server.pid) - before;
  return { rowsPerSecond: ROWS / seconds, processorPerRow: (used / ROWS) * 1e6 };
}

/** Alternates flows and calls, so that disturbances affect both. */
async function compare(server: Server, devicePort: number, size: number) {
  const urls = { device: `https://localhost:${devicePort}` };
  const service = { byKey: byKey(server), urls };
  const { tls } = await enrollDevice(service, `hardware-${randomUUID()}`);
  const calls = await requestsFor(server, CALLS);
  const recordCalls = (): Promise<Cost> =>
    costOf(server, { ...CALLS, port: server.port, requests: calls, total: CALLS.requests });
  const reportFlows = (): Promise<Cost> => {
    const requests = flowRequests(size);
    const total = requests.length;
    return costOf(server, { port: devicePort, connections: CONNECTIONS, requests, total, tls });
  };
  await recordCalls();
  await reportFlows();
  const pairs: { flows: Cost; calls: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    pairs.push({ calls: await recordCalls(), flows: await reportFlows() });
  return pairs;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const rows: Row[] = [];

async function measure(what: string, env: Record<string, string>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const devicePort = await freePort();
  const server = await startControlPlane({
    ...env,
    DATA_DIR: dir,
    DEVICE_PORT: String(devicePort),
  });
  for (const size of [1000, 100]) {
    const pairs = await compare(server, devicePort, size);
    const of = (value: (pair: (typeof pairs)[number]) => number): number =>
      median(pairs.map(value));
    rows.push([
      `${what}, batches of ${size}`,
      of(({ flows }) => flows.rowsPerSecond).toFixed(0),
      of(({ calls }) => calls.rowsPerSecond).toFixed(0),
      of(({ flows, calls }) => flows.rowsPerSecond / calls.rowsPerSecond).toFixed(2),
      of(({ flows }) => flows.processorPerRow).toFixed(0),
      of(({ calls }) => calls.processorPerRow).toFixed(0),
      '≥ 1',
    ]);
    console.log(rows.at(-1)?.join('  '));
  }
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}

await measure('SQLite, synchronous=full', {});
const postgres = await startPostgres();
await measure('PostgreSQL', { DATABASE_URL: postgres.url });
await postgres.stop();
writeSection(
  'flows',
  ['what', 'flows/s', 'LLM calls/s', 'ratio', 'CPU time per flow, µs', 'a call', 'goal'],
  rows,
);
