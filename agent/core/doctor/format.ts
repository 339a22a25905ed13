import { MINUTE_MS } from '#lib/time-units.ts';

/** `2026-11-22 21:40 UTC` */
export const formatTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const units = [
  { name: 'day', ms: 1440 * MINUTE_MS },
  { name: 'hour', ms: 60 * MINUTE_MS },
  { name: 'minute', ms: MINUTE_MS },
  { name: 'second', ms: 1000 },
] as const;

/** A time span in its largest unit: `3 hours`. */
export function formatDuration(ms: number): string {
  const unit = units.find((one) => ms >= one.ms) ?? units[3];
  return plural(Math.round(ms / unit.ms), unit.name);
}

/** `12 MB`, in the units that file managers show. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

/** Lists up to `maxNames` names, and the number of omitted ones. */
export function formatNames(all: readonly string[], maxNames = 5): string {
  const rest = all.length - maxNames;
  return [...all.slice(0, maxNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** Ends an external line as a sentence. */
export const toSentence = (line: string): string => (/[.!?]$/.test(line) ? line : `${line}.`);
