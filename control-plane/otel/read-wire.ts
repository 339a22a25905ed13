import { storable } from './attributes.ts';
import type { Halves } from './protocol/wire-cursor.ts';
import type { WireId, WireScope, WireTime } from './protocol/wire.ts';
import type { Scope } from './span.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
const MAX_CLOCK_SKEW_MS = 24 * 3_600_000;
const NAME_LENGTH = 200;

export const readScope = (scope: WireScope | null | undefined): Scope => ({
  name: shortName(scope?.name),
  version: shortName(scope?.version),
});

/** Returns why telemetry with these times is rejected; undefined if they are valid. */
export function checkedTime(
  { started_at, ended_at }: { started_at: number; ended_at: number },
  now: number,
): string | undefined {
  if (!(started_at >= EARLIEST)) return 'the start is before the year 2000';
  if (!(ended_at <= now + MAX_CLOCK_SKEW_MS)) return 'the end is more than a day in the future';
  return undefined;
}

/**
 * Returns an id in lower-case hexadecimal; null if it is missing, all zeros or of another length.
 */
export function readId(id: WireId | null | undefined, digits: number): string | null {
  if (id?.length !== digits || !/^[0-9a-f]+$/i.test(id) || !/[^0]/.test(id)) return null;
  return id.toLowerCase();
}

/**
 * Converts a time to microseconds exactly, although a double cannot represent current times in
 * nanoseconds. Returns NaN if it is not a number.
 */
export function microseconds(time: WireTime): number {
  if (typeof time === 'object' && time !== null) return ofHalves(time);
  const text = String(time ?? 0);
  return /^\d{1,20}$/.test(text) ? Number(BigInt(text) / 1000n) : Math.floor(Number(text) / 1000);
}

/**
 * Converts the halves of a number of nanoseconds. 2 ** 32 is 4,294,967 × 1000 + 296, so no part
 * exceeds the safe integers before the year 2255.
 */
function ofHalves({ low, high }: Halves): number {
  const upper = high >>> 0;
  return upper * 4_294_967 + Math.floor((upper * 296 + (low >>> 0)) / 1000);
}

export const shortName = (text: string | null | undefined): string =>
  storable(text ?? '')
    .slice(0, NAME_LENGTH)
    .toWellFormed();
