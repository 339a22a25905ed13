import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil, type Program } from '../support/processes.ts';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFigures {
  rssMb: number;
  descriptors: number;
  sockets: number;
}

/** The resources of a process on Linux. */
export function figuresOf(pid: number): ProcessFigures {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return {
    rssMb: Math.round(Number(kilobytes) / 1024),
    descriptors: open.length,
    sockets: open.filter((target) => target.startsWith('socket:')).length,
  };
}

/** The descriptor may be closed in the meantime. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/**
 * At the end of this many rounds, a process has loaded its code, and its heap has reached the size
 * that the traffic and the load of the machine require.
 */
const SETTLING_RESTS = 10;
const MAX_GROWTH_MB = 64;
/**
 * Memory is freed at different times: it counts as grown only if it is higher at each of this many
 * pauses.
 */
const GROWN_RESTS = 3;
/**
 * The tolerated increase since the first pause, for threads that come and go, and files that are
 * written.
 */
const MAX_MORE_DESCRIPTORS = 8;
const QUIET_WITHIN_MS = 30_000;

interface Level {
  first: ProcessFigures;
  /** Resident memory at each pause. */
  rssMb: number[];
}

/**
 * Compares the resources of a process at each pause with those at the first, and its memory with
 * that of the first rounds.
 */
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

/**
 * Returns a message if the last of these measurements, in MB, are all above the maximum of the
 * first rounds.
 */
export function growthOf(rssMb: readonly number[]): string | undefined {
  const settled = Math.max(...rssMb.slice(0, SETTLING_RESTS));
  const recent = rssMb.slice(SETTLING_RESTS).slice(-GROWN_RESTS);
  if (recent.length < GROWN_RESTS || Math.min(...recent) <= settled + MAX_GROWTH_MB)
    return undefined;
  return `${recent.join(', ')} MB at the last rests, at most ${settled} MB in the first rounds`;
}

/** Waits until the process has no more open descriptors than this, or until a time limit. */
async function untilQuiet({ child }: Program, mostDescriptors: number): Promise<ProcessFigures> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  await pause(1000);
  return pollUntil(
    () => figuresOf(child.pid ?? 0),
    ({ descriptors }) => descriptors <= mostDescriptors || Date.now() > deadline,
  );
}
