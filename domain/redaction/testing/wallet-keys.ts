import { sha256 } from '#lib/sha256.ts';
import { BIP39_WORDS } from '../private-keys/bip39-words.ts';
import { BASE58, BASE58_XRP } from '../private-keys/checksums.ts';
import type { Random } from './random.ts';

export const bytesOf = (random: Random, size: number): number[] =>
  Array.from({ length: size }, () => random.below(256));

/** Bytes that do not begin with zeros, in Base58. */
export function base58(bytes: readonly number[], alphabet: string = BASE58): string {
  let number = bytes.reduce((total, byte) => total * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text;
  return text;
}

/** Base58Check: the bytes and their checksum. */
export const base58Check = (bytes: readonly number[], alphabet?: string): string =>
  base58([...bytes, ...sha256(sha256(Uint8Array.from(bytes))).subarray(0, 4)], alphabet);

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Bech32 (BIP-173): groups of five bits and their checksum. */
export function bech32Key(prefix: string, groups: readonly number[]): string {
  const polymod = (values: readonly number[]): number =>
    values.reduce((sum, value) => {
      const top = sum >>> 25;
      const next = ((sum & 0x1ff_ffff) << 5) ^ value;
      return [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].reduce(
        (mixed, generator, bit) => ((top >>> bit) & 1 ? mixed ^ generator : mixed),
        next,
      );
    }, 1);
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  const sum = polymod([...expanded, ...groups, 0, 0, 0, 0, 0, 0]) ^ 1;
  const checksum = [25, 20, 15, 10, 5, 0].map((bit) => (sum >>> bit) & 31);
  return `${prefix}1${[...groups, ...checksum].map((group) => BECH32.charAt(group)).join('')}`;
}

/** Random private keys of cryptocurrencies. */
export const walletKeyOf = (random: Random): string =>
  random.pick([
    () => base58Check([0x80, ...bytesOf(random, 32)]),
    () => base58Check([0x80, ...bytesOf(random, 32), 1]),
    () => base58Check([0xef, ...bytesOf(random, 32), 1]),
    () => base58Check([0xb0, ...bytesOf(random, 32), 1]),
    () => base58Check([0x9e, ...bytesOf(random, 32), 1]),
    () => base58Check([0x04, 0x88, 0xad, 0xe4, ...bytesOf(random, 74)]),
    () => base58Check([0x21, ...bytesOf(random, 16)], BASE58_XRP),
    () => bech32Key('nsec', [...bytesOf(random, 51).map((byte) => byte & 31), 16]),
  ])();

/** A seed phrase of this many words, from random bytes and their checksum (BIP-39). */
export function seedPhraseOf(random: Random, count: number): string {
  const seed = bytesOf(random, (count * 4) / 3);
  const [sum = 0] = sha256(Uint8Array.from(seed));
  const bits = [...seed, sum].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: count },
    (_, at) => BIP39_WORDS[Number.parseInt(bits.slice(11 * at, 11 * at + 11), 2)],
  ).join(' ');
}
