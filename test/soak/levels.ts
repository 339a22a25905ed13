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
/** Memory is freed at different times: it has grown if it is higher at each of this many rests. */
const GROWN_RESTS = 3;
/** More than at the first rest: for threads that come and go, and files that are written. */
const MAX_MORE_DESCRIPTORS = 8;
const QUIET_WITHIN_MS = 30_000;

interface Level {
  first: ProcessFigures;
  /** Resident memory at each rest. */
  rssMb: number[];
}

/** Compares what a process holds at rest with its first rest, and its memory with what it settled at. */
export function watchLevels() {
  const levels = new Map<Program, Level>();
  return async (program: Program): Promise<{ figures: ProcessFigures; violations: string[] }> => {
    const known = levels.get(program);
    const most = (known?.first.descriptors ?? Infinity) + MAX_MORE_DESCRIPTORS;
    const figures = await untilQuiet(program, most);
    const level = known ?? { first: figures, rssMb: [] };
    levels.set(program, level);
    const { descriptors, rssMb } = figures;
    level.rssMb.push(rssMb);
    const violations: string[] = [];
    if (descriptors > most) violations.push(`${descriptors} descriptors at rest, ${most} at most`);
    const growth = growthOf(level.rssMb);
    if (growth) violations.push(growth);
    return { figures, violations };
  };
}

/** Says so if the last of these measurements, in MB, are all above the level that was settled at. */
export function growthOf(rssMb: readonly number[]): string | undefined {
  const [settled = Infinity, ...later] = rssMb.slice(SETTLING_RESTS);
  const recent = later.slice(-GROWN_RESTS);
  if (recent.length < GROWN_RESTS || Math.min(...recent) <= settled + MAX_GROWTH_MB)
    return undefined;
  return `${recent.join(', ')} MB at the last rests, ${settled} when settled`;
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
