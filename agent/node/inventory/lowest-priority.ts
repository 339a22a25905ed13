import { setPriority } from 'node:os';

const BACKGROUND = 19;

/** ioprio_set(2) has no function in the C library, and its number differs. */
const ioprioSet: Partial<Record<NodeJS.Architecture, number>> = { x64: 251, arm64: 30 };
const thisThread = [1, 0] as const; // IOPRIO_WHO_PROCESS, the caller
const IDLE_CLASS = 3 << 13;

/** PRIO_DARWIN_THREAD, the caller, PRIO_DARWIN_BG: setpriority(2) of macOS. */
const darwinBackground = [3, 0, 0x1000] as const;

/**
 * From now on the calling thread gets processor and disk only when others do not want them. Where
 * the system refuses, or koffi is not there, the priority stays as it is.
 */
export async function setLowestPriority(): Promise<void> {
  // Only on Linux is this of the thread; elsewhere it would be of the agent as a whole.
  if (process.platform === 'linux') setPriority(BACKGROUND);
  const { load } = await import('koffi').catch(() => ({ load: null }));
  if (load === null) return;
  if (process.platform === 'darwin') {
    load(null).func('int setpriority(int, int, int)')(...darwinBackground);
    return;
  }
  const call = ioprioSet[process.arch];
  if (call !== undefined)
    load(null).func('long syscall(long, long, long, long)')(call, ...thisThread, IDLE_CLASS);
}
