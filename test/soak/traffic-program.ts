import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { closeKept, exchanges } from './exchanges.ts';
import { runUntrustingProgram } from './refusing-program.ts';
import { secrets } from './secrets.ts';

/*
 * A program that makes exchanges of all kinds on the device. Commands on its standard input:
 * `work`, `rest`, and `refuse`, which runs a program that rejects certificates. It prints a line of
 * JSON for each fault, and at each pause one with the number of exchanges of each kind. FOLDER is
 * for programs.
 */

const WORKERS = 6;
const PAUSE_MS = 150;
/** An exchange that takes longer will never end, even on a busy machine. */
const MAX_MS = 300_000;

const counts: Record<string, number> = {};
let slowestMs = 0;
let made = 0;
const working = { now: false };
let workers: Promise<unknown> = Promise.resolve();
const drawn = Object.entries(exchanges).flatMap(([kind, { often }]) =>
  Array<string>(often).fill(kind),
);

const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

async function attempt(kind: string, work: () => Promise<void>): Promise<void> {
  const startedAt = Date.now();
  const finished = new AbortController();
  const limit = pause(MAX_MS, undefined, { signal: finished.signal }).then(() => {
    throw new Error(`no end within ${MAX_MS} ms`);
  });
  limit.catch(() => undefined);
  try {
    await Promise.race([work(), limit]);
  } catch (error) {
    print({ kind, startedAt, endedAt: Date.now(), error: String(error) });
  }
  finished.abort();
  counts[kind] = (counts[kind] ?? 0) + 1;
  slowestMs = Math.max(slowestMs, Date.now() - startedAt);
}

async function work(): Promise<void> {
  while (working.now) {
    made += 1;
    const kind = drawn[made % drawn.length] ?? '';
    const prompt = `asked ${made}: ${secrets[made % secrets.length]?.text}`;
    await attempt(kind, async () => exchanges[kind]?.exchange(prompt));
    await pause(Math.random() * 2 * PAUSE_MS);
  }
}

async function rest(): Promise<void> {
  working.now = false;
  await workers;
  closeKept();
  print({ rested: true, counts, slowestMs });
  slowestMs = 0;
}

const commands: Record<string, () => void> = {
  work() {
    working.now = true;
    workers = Promise.all(Array.from({ length: WORKERS }, work));
  },
  rest: () => void rest(),
  refuse() {
    const running = attempt('refused certificates', () =>
      runUntrustingProgram(process.env.FOLDER ?? '', String((made += 1))),
    );
    workers = Promise.all([workers, running]);
  },
};

process.on('uncaughtException', (error) =>
  print({ kind: 'uncaught', startedAt: Date.now(), endedAt: Date.now(), error: error.stack }),
);
for await (const line of createInterface(process.stdin)) commands[line]?.();
