/**
 * Measures the time of requests during 500 failing sign-ins from different addresses, compared with
 * the same requests without them, and with those during 500 sign-ins without a password, which need
 * no hash; alternating.
 *
 * sign-in-flood.ts [ROUNDS [REQUESTS]]     default: 5 rounds of 400 requests of each kind
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startPostgres } from '#test/support/postgres-server.ts';
import { newCall, seeded } from './support/calls.ts';
import {
  ownerHeaders,
  startRuns,
  KEY,
  residentMb,
  type Server,
  startControlPlane,
} from './support/processes.ts';
import { percentile, request, runLoad } from './support/load.ts';
import { type Row, writeSection } from './support/report.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const SIGN_INS = 500;
/** The number of requests of each kind in each part of a round. */
const REQUESTS = Number(process.argv[3] ?? 400);
const REST_MS = 10;
const CALLS_PER_REQUEST = 10;

type Kind = 'signed-in request' | 'recording' | 'recording, gzip';
type Times = Record<Kind, number[]>;

async function requestsOf(server: Server): Promise<Record<Kind, Buffer[]>> {
  const runs = await startRuns(server, 4);
  const random = seeded(5);
  const bodies = Array.from({ length: 64 }, (_, i) => ({
    path: `/api/v1/observe/runs/${runs[i % runs.length]}/llm-calls/`,
    body: Buffer.from(
      JSON.stringify({
        calls: Array.from({ length: CALLS_PER_REQUEST }, () => newCall(random, 1000)),
      }),
    ),
  }));
  const byKey = { 'X-Svc-Key': KEY };
  const compressed = { ...byKey, 'Content-Encoding': 'gzip' };
  return {
    'signed-in request': [request('GET', '/api/v1/auth/me/', await ownerHeaders(server))],
    recording: bodies.map(({ path, body }) => request('POST', path, byKey, body)),
    'recording, gzip': bodies.map(({ path, body }) =>
      request('POST', path, compressed, gzipSync(body)),
    ),
  };
}

const kinds = ['signed-in request', 'recording', 'recording, gzip'] as const;

/**
 * Sends all three kinds at the same time, each over its own connection with a pause between
 * requests.
 */
async function measure({ port }: Server, requests: Record<Kind, Buffer[]>): Promise<Times> {
  const load = { port, connections: 1, total: REQUESTS, restMs: REST_MS };
  const [a, b, c] = await Promise.all(
    kinds.map((kind) => runLoad({ ...load, requests: requests[kind] })),
  );
  return {
    'signed-in request': a?.latencies ?? [],
    recording: b?.latencies ?? [],
    'recording, gzip': c?.latencies ?? [],
  };
}

/** Sends all sign-ins at the same time over open connections. Returns the received statuses. */
async function flood({ port }: Server, round: number, password?: string): Promise<number[]> {
  const sockets = await Promise.all(
    Array.from({ length: SIGN_INS }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay();
      await once(socket, 'connect');
      return socket;
    }),
  );
  return Promise.all(sockets.map((socket, i) => signIn(socket, round * SIGN_INS + i, password)));
}

async function signIn(socket: Socket, number: number, password?: string): Promise<number> {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const body = JSON.stringify({ email: `user-${number}@example.test`, password });
  const headers = { 'X-Forwarded-For': address, Connection: 'close' };
  socket.write(request('POST', '/api/v1/auth/login/', headers, Buffer.from(body)));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(answer.toString('latin1').split(' ')[1]);
}

interface Round {
  without: Times;
  /** The times during 500 sign-ins that need no hash. */
  beside: Times;
  during: Times;
  statuses: number[];
}

async function takeRound(
  server: Server,
  requests: Record<Kind, Buffer[]>,
  round: number,
): Promise<Round> {
  const without = await measure(server, requests);
  const [beside] = await Promise.all([measure(server, requests), flood(server, round)]);
  const [during, statuses] = await Promise.all([
    measure(server, requests),
    flood(server, round, 'a wrong one'),
  ]);
  return { without, beside, during, statuses };
}

async function measureOn(database: string, env: Record<string, string>): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const server = await startControlPlane({ DATA_DIR: dir, TRUSTED_PROXIES: '127.0.0.1', ...env });
  const requests = await requestsOf(server);
  await measure(server, requests);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(await takeRound(server, requests, round));
  console.log(database, answersOf(rounds), `${residentMb(server.pid).toFixed(0)} MB`);
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
  return kinds.map((kind) => rowOf(`${database}, ${kind}`, kind, rounds));
}

function answersOf(rounds: readonly Round[]): string {
  const all = rounds.flatMap(({ statuses }) => statuses);
  const counts = Map.groupBy(all, (status) => status);
  return [...counts].map(([status, some]) => `${status}: ${some.length}`).join(', ');
}

function rowOf(name: string, kind: Kind, rounds: readonly Round[]): Row {
  const at = (p: number) => {
    const without = rounds.map((one) => percentile(one.without[kind], p));
    const ratio = (arm: 'beside' | 'during') =>
      median(
        rounds.map((one, round) => percentile(one[arm][kind], p) / (without[round] as number)),
      );
    return [median(without).toFixed(1), ratio('beside').toFixed(2), ratio('during').toFixed(2)];
  };
  return [name, ...at(50), ...at(99), '≤ 2'];
}

const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    50,
  );

async function onPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  const rows = await measureOn('PostgreSQL', { DATABASE_URL: postgres.url });
  await postgres.stop();
  return rows;
}

const rows = [...(await measureOn('SQLite', {})), ...(await onPostgres())];
for (const row of rows) console.log(row.join('  '));
writeSection(
  'signInFlood',
  [
    'what',
    'median ms',
    'ratio with 500 sign-ins without hashing',
    'ratio with 500 wrong passwords',
    'p99 ms',
    'p99 ratio without hashing',
    'p99 ratio with wrong passwords',
    'goal',
  ],
  rows,
  `${SIGN_INS} concurrent sign-ins with wrong passwords, each from its own address; medians of ${ROUNDS} rounds. Meanwhile, one connection of each kind sends a request every ${REST_MS} ms after the previous response; recording sends ${CALLS_PER_REQUEST} calls per request. Ratios are relative to the same requests without sign-ins.`,
);
