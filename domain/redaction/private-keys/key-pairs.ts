import { ed25519PublicKey } from '#lib/ed25519.ts';
import { base58Bytes } from './checksums.ts';
import { endOf, type Finding } from '../detector.ts';

/**
 * Secret keys of Solana and NEAR: the 32 bytes of a private key of Ed25519, then those of its public
 * key, in Base58 or as a list of numbers. Signatures have the same length, so the public key is derived
 * and compared.
 */
const SIZE = 64;
const HALF = 32;

function isKeyPair(bytes: Uint8Array): boolean {
  const publicKey = ed25519PublicKey(bytes.subarray(0, HALF));
  return publicKey.every((byte, at) => byte === bytes[HALF + at]);
}

/** The lengths of 64 bytes in Base58. Shorter ones begin with a zero. */
export const isLengthOfKeyPair = (length: number): boolean => length >= 86 && length <= 88;

/** Whether a word is a secret key in Base58. */
export function isKeyPairInBase58(word: string): boolean {
  const bytes = base58Bytes(word, SIZE);
  return bytes !== undefined && isKeyPair(bytes);
}

const isByte = (item: unknown): item is number =>
  typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255;

/** Whether the items of a list are a secret key, as in the files that `solana-keygen` writes. */
export const isKeyPairList = (items: readonly unknown[]): boolean =>
  items.length === SIZE && items.every(isByte) && isKeyPair(Uint8Array.from(items));

const comma = String.raw`\s{0,20},\s{0,20}`;
const listOfBytes = new RegExp(
  String.raw`\[\s{0,20}\d{1,3}(?:${comma}\d{1,3}){${SIZE - 1}}(?:\s{0,20},)?\s{0,20}\]`,
  'y',
);
const MIN_LIST_LENGTH = 2 * SIZE + 1;

/** The lists of bytes in a text that are secret keys. `numbers` are the ranges with many digits. */
export function findKeyPairLists(text: string, numbers: readonly Finding[]): Finding[] {
  const findings: Finding[] = [];
  let at = 0;
  for (const { start, end } of numbers) {
    if (end - start < MIN_LIST_LENGTH) continue;
    // The search goes on from the last bracket, so that each character is read once.
    if (at < start) at = text.indexOf('[', start);
    while (at !== -1 && at < end) {
      const endOfList = endOf(listOfBytes, text, at);
      if (endOfList !== -1 && isKeyPairList(numbersIn(text.slice(at + 1, endOfList - 1))))
        findings.push({ start: at, end: endOfList });
      at = text.indexOf('[', Math.max(at + 1, endOfList));
    }
    if (at === -1) break;
  }
  return findings;
}

const numbersIn = (list: string): number[] => (list.match(/\d{1,3}/g) ?? []).map(Number);
