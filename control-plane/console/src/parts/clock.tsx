import { useSyncExternalStore } from 'react';
import { formatAgo, formatDuration, formatExact, formatRemaining } from '../format.ts';

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

/** The current time in epoch milliseconds, updated every second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** A text that depends on the time. The component re-renders only when the text changes. */
const useTimeText = (text: (now: number) => string): string =>
  useSyncExternalStore(subscribe, () => text(now));

/** The current day in UTC, such as `2026-11-21`. */
export const useToday = (): string =>
  useTimeText((now) => new Date(now).toISOString().slice(0, 10));

/** The start of the current minute in epoch milliseconds. */
export const useMinute = (): number =>
  Number(useTimeText((now) => String(Math.floor(now / 60_000) * 60_000)));

/** A relative time, with the exact time as a tooltip. */
export function Ago({ at }: { at: string }) {
  const ms = Date.parse(at);
  const text = useTimeText((now) => formatAgo(ms, now));
  return (
    <time dateTime={at} title={formatExact(ms)}>
      {text}
    </time>
  );
}

/** The remaining time, such as `12 min`, with the exact time as a tooltip. */
export function Remaining({ until }: { until: string }) {
  const ms = Date.parse(until);
  const text = useTimeText((now) => formatRemaining(ms, now));
  return (
    <time dateTime={until} title={formatExact(ms)}>
      {text}
    </time>
  );
}

/** The duration until `to`, or until now if `to` is null. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  const start = Date.parse(from);
  const text = useTimeText((now) => formatDuration((to === null ? now : Date.parse(to)) - start));
  return <>{text}</>;
}
