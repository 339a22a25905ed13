import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { askIn } from '../support/capture-world/asking.ts';
import { curlHttp1 } from '../support/capture-world/clients.ts';
import { type CaptureWorld, startCaptureWorld } from '../support/capture-world/world.ts';
import { eventually, type Program } from '../support/processes.ts';
import { watchForLeaks } from './leaks.ts';
import { figuresOf, type ProcessFigures } from './process-figures.ts';
import { type ClientFailure, type Rested, startTraffic } from './traffic.ts';

export interface SoakOptions {
  rounds: number;
  /** Of traffic, in each round. */
  roundSeconds: number;
  onRound?: (round: RoundFigures) => void;
}

export interface RoundFigures extends ProcessFigures, Rested {
  round: number;
  failures: number;
  captures: number;
  events: string[];
}

export interface SoakSummary {
  rounds: RoundFigures[];
  counts: Record<string, number>;
  /** Failures of connections that were open when the agent was ended, or that found it dead. */
  excused: number;
  segments: number;
  restarts: { controlPlane: number; agent: number };
  violations: string[];
}

/** While an agent ends, connections over it are cut. */
interface Ending {
  from: number;
  to: number;
}

/** After this many rounds a process has loaded and compiled what it needs. */
const SETTLING_ROUNDS = 2;
const MOST_GROWTH_MB = 64;
/** More than at the first rest: for threads that come and go, and files that are written. */
const MOST_MORE_DESCRIPTORS = 8;
const QUIET_WITHIN_MS = 30_000;
/** Clients that come after a `kill -9` work within a second, on an idle machine. */
const AFTER_KILL_MS = 5_000;

/** Round by round: traffic and changes, then rest, in which everything is counted. */
export async function soak({ rounds, roundSeconds, onRound }: SoakOptions): Promise<SoakSummary> {
  await using world = await startCaptureWorld();
  let agent = await world.startAgent();
  const asking = askIn(world);
  await asking.switchOn();
  const traffic = startTraffic(world);
  const leaks = watchForLeaks(world);
  const endings: Ending[] = [];
  const summary: SoakSummary = {
    rounds: [],
    counts: {},
    excused: 0,
    segments: 0,
    restarts: { controlPlane: 0, agent: 0 },
    violations: [],
  };
  const { violations, restarts } = summary;
  const startAgent = async (): Promise<void> => {
    agent = await world.startAgent();
    await asking.untilRedirected();
    restarts.agent += 1;
  };

  const changes: Record<string, () => Promise<void>> = {
    'capture off and on': async () => {
      await asking.switchOff();
      await pause((roundSeconds * 1000) / 6);
      await asking.switchOn();
    },
    'control plane restarted': async () => {
      await world.restartControlPlane();
      restarts.controlPlane += 1;
    },
    'agent stopped and started': async () => {
      const from = Date.now();
      await agent.end('SIGTERM');
      endings.push({ from, to: Date.now() });
      await startAgent();
    },
    'agent killed and started': async () => {
      const from = Date.now();
      await agent.end('SIGKILL');
      endings.push({ from, to: from + AFTER_KILL_MS });
      await startAgent();
    },
  };

  const levels = new Map<
    Program,
    { rest: ProcessFigures; settled?: ProcessFigures; rounds: number }
  >();
  /** Compares with what this process held at its first rest, and after it had settled. */
  const judge = async (round: number): Promise<ProcessFigures> => {
    const level = levels.get(agent);
    const most = (level?.rest.descriptors ?? Infinity) + MOST_MORE_DESCRIPTORS;
    const figures = await untilQuiet(agent, most);
    if (!level) {
      levels.set(agent, { rest: figures, rounds: 1 });
      return figures;
    }
    level.rounds += 1;
    if (figures.descriptors > most)
      violations.push(`round ${round}: ${figures.descriptors} descriptors at rest`);
    if (level.rounds > SETTLING_ROUNDS) level.settled ??= figures;
    if (level.settled && figures.rssMb > level.settled.rssMb + MOST_GROWTH_MB)
      violations.push(`round ${round}: ${figures.rssMb} MB, ${level.settled.rssMb} when settled`);
    return figures;
  };

  try {
    for (let round = 1; round <= rounds && violations.length === 0; round += 1) {
      const events = changesOf(round, rounds);
      traffic.work();
      traffic.refuse();
      for (const event of events) {
        await pause((roundSeconds * 1000) / (events.length + 1));
        await changes[event]?.();
      }
      await pause((roundSeconds * 1000) / (events.length + 1));
      const rested = await traffic.rest();
      const isUploaded = await untilUploaded(world);
      if (!isUploaded) violations.push(`round ${round}: reports were not uploaded`);
      const figures = await judge(round);
      await asking.expectCaptured(curlHttp1, `curl after round ${round}`);
      const failures = traffic.failures().filter((failure) => !isExcused(failure, endings));
      violations.push(...failures.map((failure) => `round ${round}: ${JSON.stringify(failure)}`));
      if (round % 10 === 0 || round === rounds) violations.push(...leaks.find());
      const before = summary.rounds.at(-1);
      const counted = { failures: failures.length, captures: countCaptures(world) };
      const line = { ...figures, ...rested, ...counted, round, events };
      const [more, made] = [
        line.captures - (before?.captures ?? 0),
        sum(line.counts) - sum(before?.counts ?? {}),
      ];
      if (more < made / 2) violations.push(`round ${round}: only ${more} of ${made} captured`);
      summary.rounds.push(line);
      onRound?.(line);
    }
  } finally {
    leaks.close();
  }
  summary.counts = summary.rounds.at(-1)?.counts ?? {};
  summary.excused = traffic.failures().filter((failure) => isExcused(failure, endings)).length;
  summary.segments = leaks.segments();
  return summary;
}

export const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** The agent is stopped after a third of a long soak, and killed after two. */
function changesOf(round: number, rounds: number): string[] {
  const events = ['capture off and on'];
  if (round % 2 === 0) events.push('control plane restarted');
  if (rounds < 6) return events;
  if (round === Math.floor(rounds / 3)) events.push('agent stopped and started');
  if (round === Math.floor((2 * rounds) / 3)) events.push('agent killed and started');
  return events;
}

const isExcused = ({ startedAt, endedAt }: ClientFailure, endings: readonly Ending[]): boolean =>
  endings.some(({ from, to }) => startedAt <= to && endedAt >= from);

function countCaptures({ data }: CaptureWorld): number {
  const database = new BetterSqlite3(join(data, 'gatehouse.db'), { readonly: true });

  const count = database.prepare('select count(*) from captures').pluck().get() as number;
  database.close();
  return count;
}

async function untilUploaded({ state }: CaptureWorld): Promise<boolean> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  const folder = join(state.folder, 'captures');
  const waiting = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  return (await eventually(waiting, (files) => files === 0 || Date.now() > deadline)) === 0;
}

/** Once it holds no more than that, or, as it may never, after a while. */
async function untilQuiet({ child }: Program, mostDescriptors: number): Promise<ProcessFigures> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  await pause(1000);
  return eventually(
    () => figuresOf(child.pid ?? 0),
    ({ descriptors }) => descriptors <= mostDescriptors || Date.now() > deadline,
  );
}
