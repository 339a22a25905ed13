import { storable } from './attributes.ts';
import type { WireId, WireScope, WireTime } from './protocol/wire.ts';
import type { Scope } from './span.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
const MAX_CLOCK_SKEW_MS = 24 * 3_600_000;
const NAME_LENGTH = 200;

export const readScope = (scope: WireScope | null | undefined): Scope => ({
  name: shortName(scope?.name),
  version: shortName(scope?.version),
});

/** Why telemetry with these times is rejected; undefined if they are valid. */
export function checkedTime(
  { started_at, ended_at }: { started_at: number; ended_at: number },
  now: number,
): string | undefined {
  if (!(started_at >= EARLIEST)) return 'the start is before the year 2000';
  if (!(ended_at <= now + MAX_CLOCK_SKEW_MS)) return 'the end is more than a day in the future';
  return undefined;
}

/** Lower-case hexadecimal; null for an id that is missing, all zero or of another length. */
export function readId(id: WireId | null | undefined, digits: number): string | null {
  const text = typeof id === 'string' ? id.toLowerCase() : Buffer.from(id ?? []).toString('hex');
  return text.length === digits && /^[0-9a-f]+$/.test(text) && /[^0]/.test(text) ? text : null;
}

/** Exact, although a double cannot hold current times in nanoseconds. NaN if it is not a number. */
export function microseconds(time: WireTime): number {
  const text = String(time ?? 0);
  return /^\d{1,20}$/.test(text) ? Number(BigInt(text) / 1000n) : Math.floor(Number(text) / 1000);
}

export const shortName = (text: string | null | undefined): string =>
  storable(text ?? '')
    .slice(0, NAME_LENGTH)
    .toWellFormed();
