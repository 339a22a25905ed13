import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const base32 = (value: number, length: number): string => {
  let text = '';
  for (let remaining = value; text.length < length; remaining = Math.floor(remaining / 32))
    text = ALPHABET[remaining % 32] + text;
  return text;
};

const CHANCE = 13;

/** Creates an id of this kind for this time, in milliseconds since 1970. */
export type NewId = (prefix: string, now: number) => string;

/**
 * Creates a generator of opaque ids that sort by time, even within one millisecond. An id is the
 * prefix, followed by ten characters of milliseconds, three of a counter, and thirteen random ones,
 * in Crockford's base 32.
 */
export function createIds(): NewId {
  const takeChance = bufferedChance();
  let last = { time: 0, sequence: 0 };
  return (prefix, now) => {
    last = { time: now, sequence: now === last.time ? last.sequence + 1 : 0 };
    const chance = Array.from(takeChance(), (byte) => ALPHABET[byte % 32]).join('');
    return `${prefix}_${base32(now, 10)}${base32(last.sequence, 3)}${chance}`;
  };
}

/** Buffers random bytes: a system call per id would dominate its cost. */
function bufferedChance(): () => Buffer {
  const chances = Buffer.alloc(CHANCE * 300);
  let used = chances.length;
  return () => {
    if (used === chances.length) {
      randomFillSync(chances);
      used = 0;
    }
    return chances.subarray(used, (used += CHANCE));
  };
}

export const isId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));

/** Returns the smallest id that could have been created at this time. */
export const firstIdAt = (prefix: string, ms: number): string => `${prefix}_${base32(ms, 10)}`;

/** Returns a hash for use in an id. It is long enough to avoid collisions. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 26);
