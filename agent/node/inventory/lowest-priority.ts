import { setPriority } from 'node:os';

const BACKGROUND = 19;

/** ioprio_set(2) has no function in the C library, and its number differs. */
const ioprioSet: Partial<Record<NodeJS.Architecture, number>> = { x64: 251, arm64: 30 };
const thisThread = [1, 0] as const; // IOPRIO_WHO_PROCESS, the caller
const IDLE_CLASS = 3 << 13;

/** PRIO_DARWIN_THREAD, the caller, PRIO_DARWIN_BG: setpriority(2) of macOS. */
const darwinBackground = [3, 0, 0x1000] as const;

/**
 * Gives the calling thread CPU and disk time only when others do not need it. The priority stays
 * unchanged if the system refuses or koffi is unavailable.
 */
export async function setLowestPriority(): Promise<void> {
  // The priority is that of the thread only on Linux; elsewhere it would be the whole agent's.
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
