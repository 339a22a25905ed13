import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { type ModelTraffic, startModelTraffic } from '../support/capture-world/model-traffic.ts';
import { curlHttp1 } from '../support/capture-world/clients.ts';
import { type CaptureWorld, startCaptureWorld } from '../support/capture-world/world.ts';
import { pollUntil } from '../support/processes.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';
import { changesOf, startChanges } from './changes.ts';
import { watchForLeaks } from './leaks.ts';
import { watchLevels, type ProcessFigures } from './levels.ts';
import { type PauseFigures, startTraffic } from './traffic.ts';

export interface SoakOptions {
  rounds: number;
  /** The duration of the traffic in each round. */
  roundSeconds: number;
  onRound?: (round: RoundFigures) => void;
}

/** The measurements at the pause after a round. */
export interface RoundFigures extends ProcessFigures, PauseFigures {
  round: number;
  /** The number of captures in the database. */
  captures: number;
  changes: string[];
}

export interface SoakSummary {
  rounds: RoundFigures[];
  /** The number of exchanges by kind. */
  counts: Record<string, number>;
  /** The number of connections that were closed by a stop of the agent. */
  excused: number;
  /** The number of segments of the spool that were read before they were uploaded. */
  segments: number;
  restarts: { controlPlane: number; agent: number };
  violations: string[];
}

const MAX_ATTEMPTS = 50;
/** The search takes longer as data grows. */
const SEARCH_EVERY_ROUNDS = 10;

/**
 * Alternates rounds of traffic and changes with pauses, in which all resources are counted and
 * compared.
 */
export async function soak(options: SoakOptions): Promise<SoakSummary> {
  const { rounds: count, roundSeconds, onRound } = options;
  await using world = await startCaptureWorld();
  const modelTraffic = startModelTraffic(world);
  const changes = await startChanges(world, modelTraffic);
  const traffic = startTraffic(world);
  const leaks = watchForLeaks(world);
  const judge = watchLevels();

  const work = async (names: readonly string[]): Promise<PauseFigures> => {
    traffic.work();
    traffic.refuse();
    for (const name of names) {
      await pause((roundSeconds * 1000) / (names.length + 1));
      await changes.make(name);
    }
    await pause((roundSeconds * 1000) / (names.length + 1));
    return traffic.rest();
  };
  const failures = (isExcused: boolean) =>
    traffic.failures().filter((failure) => changes.isExcused(failure) === isExcused);

  const rounds: RoundFigures[] = [];
  const found: string[] = [];
  for (let round = 1; round <= count && found.length === 0; round += 1) {
    const names = changesOf(round, count);
    const rested = await work(names);
    if (!(await isUploaded(world))) found.push('reports were not uploaded');
    const { figures, violations } = await judge(changes.agent());
    if (!(await isStillCaptured(world, modelTraffic, round)))
      found.push('what came after was not captured');
    found.push(...violations, ...failures(false).map((failure) => JSON.stringify(failure)));
    if (round % SEARCH_EVERY_ROUNDS === 0 || round === count) found.push(...leaks.find());
    const figuresNow = {
      ...figures,
      ...rested,
      round,
      captures: countCaptures(world),
      changes: names,
    };
    found.push(...findUncaptured(figuresNow, rounds.at(-1)));
    rounds.push(figuresNow);
    onRound?.(figuresNow);
  }
  leaks.close();
  return {
    rounds,
    counts: rounds.at(-1)?.counts ?? {},
    excused: failures(true).length,
    segments: leaks.segments(),
    restarts: changes.restarts,
    violations: found.map((violation) => `round ${rounds.length}: ${violation}`),
  };
}

export const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/**
 * Whether an exchange after the traffic is captured with its body. On a busy machine exchanges wait
 * for redaction, and if very many wait, more of them are reported without bodies.
 */
async function isStillCaptured(world: CaptureWorld, modelTraffic: ModelTraffic, round: number) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const name = `curl ${attempt} after round ${round}`;
    const before = countCaptures(world);
    const { code, err } = await modelTraffic.start(curlHttp1, name, 'managed').ended;
    if (code !== 0) throw new Error(`${name}: ${err}`);
    await pollUntil(
      () => countCaptures(world),
      (count) => count > before,
    );
    if ((await modelTraffic.capturesOf(name)).length === 1) return true;
  }
  return false;
}

/**
 * At least half of the exchanges must be captured, although capture is sometimes disabled or set to
 * other hosts.
 */
function findUncaptured(now: RoundFigures, before?: RoundFigures): string[] {
  const captured = now.captures - (before?.captures ?? 0);
  const made = sum(now.counts) - sum(before?.counts ?? {});
  return captured < made / 2 ? [`only ${captured} of ${made} exchanges were captured`] : [];
}

function countCaptures({ data }: CaptureWorld): number {
  const database = new BetterSqlite3(join(data, 'gatehouse.db'), { readonly: true });
  const count = database.prepare('select count(*) from captures').pluck().get() as number;
  database.close();
  return count;
}

async function isUploaded({ state }: CaptureWorld): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  const folder = join(state.folder, 'captures');
  const waiting = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  return (await pollUntil(waiting, (files) => files === 0 || Date.now() > deadline)) === 0;
}
