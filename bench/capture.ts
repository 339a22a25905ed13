/**
 * Measures the cost of relaying a connection: the agent, with everything that it does to captured
 * connections, compared with bare relays and with mitmproxy (if installed), alternating. Linux
 * only.
 *
 * capture.ts [ROUNDS [SECONDS]]     default: 5 rounds of 2 s for each load and relay
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { issueCertificates } from './support/capture/certificates.ts';
import type { Measured, Order } from './support/capture/client.ts';
import { watchBody, watchStreams } from './support/capture/memory.ts';
import {
  findMitmdump,
  type GatehouseRelay,
  type Relay,
  startClient,
  startLimit,
  startMitmproxy,
  startGatehouse,
  startUpstream,
} from './support/capture/programs.ts';
import { percentile } from './support/load.ts';
import { processorSeconds } from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 2);
const WARM_UP_SECONDS = 1;
const IDLE_MS = 1200;
const STREAMS = 200;
const BODY = 1e9;

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const certificates = await issueCertificates();
const file = join(dir, 'certificates.json');
writeFileSync(file, JSON.stringify(certificates), { mode: 0o600 });
const upstream = await startUpstream(file);
const client = startClient(file);
const mitmdump = findMitmdump();

const tcp = {
  ours: await startGatehouse(file, upstream.tcp),
  limit: await startLimit('limit-net-relay.ts', file, upstream.tcp),
};
const tls = {
  ours: await startGatehouse(file, upstream.tls),
  limit: await startLimit('limit-tls-relay.ts', file, upstream.tls),
};
const peer = mitmdump && (await startMitmproxy(mitmdump, dir, certificates, upstream.tls));
const direct = { port: upstream.tls, pid: null };

type Arm = 'ours' | 'limit' | 'peer' | 'direct';
type Round = Partial<Record<Arm, Measured>>;

interface Cell {
  what: string;
  order: Pick<Order, 'load' | 'connections' | 'bytes' | 'everyMs'>;
  arms: Partial<Record<Arm, Pick<Order, 'port' | 'pid'>>>;
  /** How many times a round measures the cell: once if omitted. */
  times?: number;
}

const peers = peer ? { ...tls, peer } : tls;
const cells = {
  passThrough: {
    what: 'not captured: MB/s over 4 connections',
    order: { load: 'pass through', connections: 4 },
    arms: tcp,
  },
  http1: {
    what: 'HTTP/1.1: requests/s over 16 connections',
    order: { load: 'HTTP/1.1', connections: 16 },
    arms: peers,
  },
  http2: {
    what: 'HTTP/2: requests/s over 8 connections, 4 at once on each',
    order: { load: 'HTTP/2', connections: 8 },
    arms: peers,
  },
  bodies: {
    what: 'bodies of 64 MB: MB/s over 4 connections',
    order: { load: 'large bodies', connections: 4, bytes: 64e6 },
    arms: tls,
  },
  connections: {
    what: 'new connections/s, 8 at once, one request on each',
    order: { load: 'connections', connections: 8 },
    arms: { ...peers, direct },
  },
  events: {
    what: 'delay',
    order: { load: 'events', connections: 50, everyMs: 10 },
    arms: { ...tls, direct },
    // The p99 of two seconds varies by a factor of four, even between two bare relays.
    times: 6,
  },
} satisfies Record<string, Cell>;

/** Runs all arms of a cell, in alternating order. */
async function takeRound({ order, arms }: Cell, round: number, seconds = SECONDS): Promise<Round> {
  const names = Object.keys(arms) as Arm[];
  const measured: Round = {};
  for (const name of round % 2 ? names.toReversed() : names) {
    const { port, pid } = arms[name] as Pick<Order, 'port' | 'pid'>;
    measured[name] = await client.run({ ...order, port, pid, seconds });
    await untilIdle(pid);
  }
  return measured;
}

/**
 * Waits until the process is idle, so that work after the responses does not take CPU time from the
 * next arm. The agent pauses up to a second between the redaction of two exchanges.
 */
async function untilIdle(pid: number | null): Promise<void> {
  if (pid === null) return;
  for (let used = Infinity; used > 0.02;) {
    const before = processorSeconds(pid);
    await pause(IDLE_MS);
    used = processorSeconds(pid) - before;
  }
}

const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    50,
  );

const rates = {
  wall: ({ count, seconds }: Measured) => count / seconds,
  processor: ({ count, processor }: Measured) => count / processor,
  mainThread: ({ count, mainThread }: Measured) => count / mainThread,
};

const rateOf = (rounds: readonly Round[], arm: Arm, rate: keyof typeof rates): number =>
  median(rounds.flatMap((round) => (round[arm] ? [rates[rate](round[arm])] : [])));

/** The median of the agent's rates relative to those of another arm in the same rounds. */
const ratioTo = (rounds: readonly Round[], arm: Arm, rate: keyof typeof rates): number =>
  median(
    rounds.flatMap(({ ours, [arm]: other }) =>
      ours && other ? [rates[rate](ours) / rates[rate](other)] : [],
    ),
  );

const rows: Row[] = [];
const add = (...row: string[]): void => {
  rows.push(row);
  console.log(row.join('  '));
};

function addRates({ what }: Cell, rounds: readonly Round[], goal: string, unit = 1): void {
  const formatRate = (arm: Arm): string => (rateOf(rounds, arm, 'wall') / unit).toFixed(0);
  const ratio = (rate: keyof typeof rates): string => ratioTo(rounds, 'limit', rate).toFixed(2);
  const hasPeer = rounds.some((round) => round.peer);
  add(
    what,
    formatRate('ours'),
    formatRate('limit'),
    ratio('wall'),
    ratio('mainThread'),
    ratio('processor'),
    hasPeer ? `${formatRate('peer')} (${ratioTo(rounds, 'peer', 'wall').toFixed(1)} ×)` : '',
    goal,
  );
}

function addDelays(rounds: readonly Round[]): void {
  for (const p of ['p50', 'p99'] as const) {
    const added = (arm: Arm): number =>
      median(rounds.map((round) => delayOf(round, arm, p) - delayOf(round, 'direct', p)));
    const row = [added('ours').toFixed(2), added('limit').toFixed(2)];
    const ratio = (added('ours') / added('limit')).toFixed(2);
    add(`added delay of an event, ${p}, ms, 50 streams`, ...row, ratio, '', '', '', '≤ 2 ×');
  }
}

const delayOf = (round: Round, arm: Arm, p: 'p50' | 'p99'): number =>
  round[arm]?.delays?.[p] ?? NaN;

async function addMemory(
  what: string,
  goal: string,
  watch: (relay: Relay) => Promise<string>,
): Promise<void> {
  const measured: string[] = [];
  for (const start of [
    () => startGatehouse(file, upstream.tls),
    () => startLimit('limit-tls-relay.ts', file, upstream.tls),
  ]) {
    const relay = await start();
    measured.push(await watch(relay));
    await relay.stop();
  }
  add(what, ...measured, '', '', '', '', goal);
}

async function shareWithBodies(relay: GatehouseRelay): Promise<string> {
  const { made, withBodies } = await relay.reports();
  return `${Math.round((100 * withBodies) / made)} %`;
}

type Name = keyof typeof cells;
const rounds = Object.fromEntries<Round[]>(Object.keys(cells).map((name) => [name, []])) as Record<
  Name,
  Round[]
>;
// The first run is a warm-up, in which code is compiled.
for (const cell of Object.values(cells)) await takeRound(cell, 0, WARM_UP_SECONDS);

const reportedShares: Partial<Record<Name, string>> = {};
for (let round = 0; round < ROUNDS; round += 1)
  for (const name of Object.keys(cells) as Name[]) {
    const cell: Cell = cells[name];
    for (let i = 0; i < (cell.times ?? 1); i += 1)
      rounds[name].push(await takeRound(cell, round + i));
    if (name !== 'passThrough') reportedShares[name] = await shareWithBodies(tls.ours);
  }

/**
 * The rate of new connections compared with mitmproxy's: the limit for any Node relay that
 * terminates TLS on both sides, and what client and server open without a relay.
 */
const connectionsToPeer = (arm: 'limit' | 'direct'): string =>
  (rateOf(rounds.connections, arm, 'wall') / rateOf(rounds.connections, 'peer', 'wall')).toFixed(1);

const LIMIT = '≥ 0.5 × the bare relay';
const BOTH = `${LIMIT}, ≥ 5 × mitmproxy`;
addRates(cells.passThrough, rounds.passThrough, '≥ 0.8 × the bare relay', 1e6);
addRates(cells.http1, rounds.http1, BOTH);
addRates(cells.http2, rounds.http2, BOTH);
addRates(cells.bodies, rounds.bodies, LIMIT, 1e6);
addRates(cells.connections, rounds.connections, BOTH);
addDelays(rounds.events);
await addMemory(
  `resident MB with ${STREAMS} open streams; while they all end`,
  '≤ 150 MB',
  async (relay) => {
    const { open, ended } = await watchStreams(relay, client, STREAMS);
    return `${open.toFixed(0)}; ${ended.toFixed(0)}`;
  },
);
await addMemory(
  'growth in MB while relaying a body of 1 GB, compared with 16 of 64 MB',
  '< 20 MB',
  async (relay) => {
    const { before, most } = await watchBody(relay, client, BODY);
    return `${(most - before).toFixed(0)} (of ${before.toFixed(0)})`;
  },
);
for (const program of [tcp.ours, tcp.limit, tls.ours, tls.limit, peer, client, upstream])
  if (program) await program.stop();
rmSync(dir, { recursive: true, force: true });

writeSection(
  'capture',
  [
    'what',
    'ours',
    'bare relay',
    'ratio',
    'per CPU second of the relaying thread',
    'per CPU second of all threads',
    'mitmproxy',
    'goal',
  ],
  rows,
  `${ROUNDS} rounds of ${SECONDS} s (${rounds.events.length} for delays), alternating: medians; ratios are the medians of the ratios of each round. ` +
    `mitmproxy ${peer ? `keeps no flows; the bare relay opens ${connectionsToPeer('limit')} × its connections/s, and the client without a relay ${connectionsToPeer('direct')} ×` : 'was not installed'}. ` +
    `Exchanges reported with bodies in the last round: HTTP/1.1 ${reportedShares.http1}, HTTP/2 ` +
    `${reportedShares.http2}, the others ${reportedShares.bodies}, ${reportedShares.connections} and ${reportedShares.events}.`,
);
