import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const base32 = (value: number, length: number): string => {
  let text = '';
  for (let remaining = value; text.length < length; remaining = Math.floor(remaining / 32))
    text = ALPHABET[remaining % 32] + text;
  return text;
};

const CHANCE = 13;
const chances = Buffer.alloc(CHANCE * 300);
let used = chances.length;

/** Buffers random bytes: a system call per id would dominate its cost. */
function someChance(): Buffer {
  if (used === chances.length) {
    randomFillSync(chances);
    used = 0;
  }
  return chances.subarray(used, (used += CHANCE));
}

let last = { time: 0, sequence: 0 };

/**
 * An opaque id that sorts by time, also among ids that one process makes within one millisecond:
 * the prefix, then in Crockford's base 32 ten characters of milliseconds, three of a counter, and
 * thirteen random ones.
 */
export function newId(prefix: string, now: number): string {
  last = { time: now, sequence: now === last.time ? last.sequence + 1 : 0 };
  const chance = Array.from(someChance(), (byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}_${base32(now, 10)}${base32(last.sequence, 3)}${chance}`;
}

export const isId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));

/** The smallest id that could have been made at this time. */
export const firstIdAt = (prefix: string, ms: number): string => `${prefix}_${base32(ms, 10)}`;
