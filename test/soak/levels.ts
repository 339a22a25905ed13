import { setTimeout as pause } from 'node:timers/promises';
import { eventually, type Program } from '../support/processes.ts';
import { figuresOf, type ProcessFigures } from './process-figures.ts';

/** After this many rests a process has loaded and compiled what it needs. */
const SETTLING_RESTS = 2;
const MOST_GROWTH_MB = 64;
/** More than at the first rest: for threads that come and go, and files that are written. */
const MOST_MORE_DESCRIPTORS = 8;
const QUIET_WITHIN_MS = 30_000;

interface Level {
  rests: number;
  first: ProcessFigures;
  settled?: ProcessFigures;
}

/** Compares what a process holds at rest with its first rest, and its memory with what it settled at. */
export function watchLevels() {
  const levels = new Map<Program, Level>();
  return async (program: Program): Promise<{ figures: ProcessFigures; violations: string[] }> => {
    const known = levels.get(program);
    const most = (known?.first.descriptors ?? Infinity) + MOST_MORE_DESCRIPTORS;
    const figures = await untilQuiet(program, most);
    const level = known ?? { rests: 0, first: figures };
    levels.set(program, level);
    level.rests += 1;
    if (level.rests > SETTLING_RESTS) level.settled ??= figures;
    const { descriptors, rssMb } = figures;
    const violations: string[] = [];
    if (descriptors > most) violations.push(`${descriptors} descriptors at rest, ${most} at most`);
    if (level.settled && rssMb > level.settled.rssMb + MOST_GROWTH_MB)
      violations.push(`${rssMb} MB, ${level.settled.rssMb} when settled`);
    return { figures, violations };
  };
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
