import { setPriority } from 'node:os';

const BACKGROUND = 19;

/** ioprio_set(2) has no function in the C library, and its number differs. */
const ioprioSet: Partial<Record<NodeJS.Architecture, number>> = { x64: 251, arm64: 30 };
const thisThread = [1, 0] as const; // IOPRIO_WHO_PROCESS, the caller
const IDLE_CLASS = 3 << 13;

/**
 * On Linux, gives the calling thread CPU and disk time only when others do not need it; without koffi,
 * only CPU time. Elsewhere the priority stays unchanged: `setPriority` and `taskpolicy` of macOS are
 * for the whole agent, which must not slow down captured connections, and the call for one thread
 * (`setpriority` with `PRIO_DARWIN_THREAD`) needs koffi, which the app for macOS does not include.
 */
export async function setLowestPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  setPriority(BACKGROUND);
  const call = ioprioSet[process.arch];
  if (call === undefined) return;
  const { load } = await import('koffi').catch(() => ({ load: null }));
  load?.(null).func('long syscall(long, long, long, long)')(call, ...thisThread, IDLE_CLASS);
}
