import { setTimeout as pause } from 'node:timers/promises';
import { eventually, type Program } from '../support/processes.ts';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFigures {
  rssMb: number;
  descriptors: number;
  sockets: number;
}

/** What a process of Linux holds now. */
export function figuresOf(pid: number): ProcessFigures {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return {
    rssMb: Math.round(Number(kilobytes) / 1024),
    descriptors: open.length,
    sockets: open.filter((target) => target.startsWith('socket:')).length,
  };
}

/** It may be closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** After this many rests a process has loaded and compiled what it needs. */
const SETTLING_RESTS = 2;
const MAX_GROWTH_MB = 64;
/** More than at the first rest: for threads that come and go, and files that are written. */
const MAX_MORE_DESCRIPTORS = 8;
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
    const most = (known?.first.descriptors ?? Infinity) + MAX_MORE_DESCRIPTORS;
    const figures = await untilQuiet(program, most);
    const level = known ?? { rests: 0, first: figures };
    levels.set(program, level);
    level.rests += 1;
    if (level.rests > SETTLING_RESTS) level.settled ??= figures;
    const { descriptors, rssMb } = figures;
    const violations: string[] = [];
    if (descriptors > most) violations.push(`${descriptors} descriptors at rest, ${most} at most`);
    if (level.settled && rssMb > level.settled.rssMb + MAX_GROWTH_MB)
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
