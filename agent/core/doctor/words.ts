const minute = 60_000;

/** `2026-11-22 21:40 UTC` */
export const moment = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const units = [
  { name: 'day', ms: 1440 * minute },
  { name: 'hour', ms: 60 * minute },
  { name: 'minute', ms: minute },
  { name: 'second', ms: 1000 },
] as const;

/** A time span in its largest unit: `3 hours`. */
export function span(ms: number): string {
  const unit = units.find((one) => ms >= one.ms) ?? units[3];
  return plural(Math.round(ms / unit.ms), unit.name);
}

/** `12 MB`, in the units that file managers show. */
export function size(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

/** At most so many names, and how many more there are. */
export function names(all: readonly string[], most = 5): string {
  const rest = all.length - most;
  return [...all.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** Ends a line from elsewhere as a sentence. */
export const sentence = (line: string): string => (/[.!?]$/.test(line) ? line : `${line}.`);
