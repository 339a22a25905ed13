import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * An opaque id that sorts by time: the prefix, ten characters of milliseconds and sixteen of
 * chance, in Crockford's base 32.
 */
export function newId(prefix: string, now: number): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i += 1, rest = Math.floor(rest / 32))
    time = ALPHABET[rest % 32] + time;
  const chance = Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}_${time}${chance}`;
}
