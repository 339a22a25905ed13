import { useSyncExternalStore } from 'react';
import { formatAgo, formatDuration, formatExact } from '../format.ts';

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Epoch milliseconds, updated every second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** Text that depends on the time. Re-renders only when the text changes. */
const useTimeText = (text: (now: number) => string): string =>
  useSyncExternalStore(subscribe, () => text(now));

/** Today in UTC, as `2026-11-21`. */
export const useToday = (): string =>
  useTimeText((now) => new Date(now).toISOString().slice(0, 10));

/** Relative time, with the exact time in the title. */
export function Ago({ at }: { at: string }) {
  const ms = Date.parse(at);
  const text = useTimeText((now) => formatAgo(ms, now));
  return (
    <time dateTime={at} title={formatExact(ms)}>
      {text}
    </time>
  );
}

/** Duration until `to`, or until now if it is null. */
export function Lasting({ from, to }: { from: string; to: string | null }) {
  const start = Date.parse(from);
  const text = useTimeText((now) => formatDuration((to === null ? now : Date.parse(to)) - start));
  return <>{text}</>;
}
