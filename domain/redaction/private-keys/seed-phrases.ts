import { sha256 } from '#lib/sha256.ts';
import { BIP39_WORDS } from './bip39-words.ts';
import { codeUnitsOf, membersOf } from '../search/code-units.ts';
import type { Finding } from '../detector.ts';

/** The numbers of words of a seed phrase, and the shortest and longest word of the list. */
const LENGTHS = [24, 21, 18, 15, 12];
const MIN_WORDS = 12;
const MIN_LETTERS = 3;
const MAX_LETTERS = 8;
const BITS_OF_WORD = 11;

/** The shortest phrase: words with one character between each two. Every phrase contains a multiple. */
const MIN_PHRASE_LENGTH = MIN_WORDS * (MIN_LETTERS + 1) - 1;
/** Words beside a phrase that may be in the list by chance: `recovery phrase abandon …`. */
const MAX_BESIDE = 4;

/** The longest text between two words: a number, a line mark, quotes and indentation. */
const MAX_BETWEEN = 32;

const isLetterCode = membersOf(/[A-Za-z]/);
const isLetter = (units: Uint16Array, at: number): boolean => isLetterCode[units[at] ?? 0] === 1;

const places = new Map(BIP39_WORDS.map((word, place) => [word, place] as const));

/** A text and its code units. */
interface Searched {
  text: string;
  units: Uint16Array;
}

/** A word of the list in a text. */
interface SeedWord extends Finding {
  place: number;
}

const BACKSLASH = 92;
const isOfEscape = membersOf(/[nrt]/);

/** The letter after a backslash is part of an escape sequence, such as `\n` in JSON. */
const isEscaped = (units: Uint16Array, at: number): boolean =>
  units[at - 1] === BACKSLASH && isOfEscape[units[at] ?? 0] === 1;

/** The start of the word around a letter, or -1 if it is longer than any of the list. */
function startAround(units: Uint16Array, at: number): number {
  let start = at;
  while (isLetter(units, start - 1)) {
    if (at - start === MAX_LETTERS) return -1;
    start -= 1;
  }
  return start < at && isEscaped(units, start) ? start + 1 : start;
}

/** The end of the word around a letter, at most one letter longer than any of the list. */
function endAround(units: Uint16Array, at: number): number {
  let end = at + 1;
  while (end - at <= MAX_LETTERS && isLetter(units, end)) end += 1;
  return end;
}

/** The word of the list around a letter, or undefined. */
function wordAround({ text, units }: Searched, at: number): SeedWord | undefined {
  const start = startAround(units, at);
  if (start === -1) return undefined;
  const end = endAround(units, at);
  const place =
    end - start > MAX_LETTERS ? undefined : places.get(text.slice(start, end).toLowerCase());
  return place === undefined ? undefined : { start, end, place };
}

/** The next letter from a position on that is no part of an escape sequence, or -1 if it is too far. */
function nextLetter(units: Uint16Array, from: number): number {
  for (let at = from; at <= from + MAX_BETWEEN && units[at] !== 0; at += 1)
    if (isLetter(units, at) && !isEscaped(units, at)) return at;
  return -1;
}

/** The letter before a position that is no part of an escape sequence, or -1 if it is too far. */
function previousLetter(units: Uint16Array, from: number): number {
  for (let at = from - 1; at >= from - MAX_BETWEEN && at >= 0; at -= 1)
    if (isLetter(units, at) && !isEscaped(units, at)) return at;
  return -1;
}

/** The words of the list in a row around a word, which do not begin before `earliest`. */
function wordsAround(searched: Searched, word: SeedWord, earliest: number): SeedWord[] {
  const { units } = searched;
  const before: SeedWord[] = [];
  for (let first: SeedWord | undefined = word; first;) {
    const at = previousLetter(units, first.start);
    first = at < earliest ? undefined : wordAround(searched, at);
    if (first && first.start < earliest) first = undefined;
    if (first) before.push(first);
  }
  const words = [...before.reverse(), word];
  for (let last: SeedWord | undefined = word; last;) {
    const at = nextLetter(units, last.end);
    last = at === -1 ? undefined : wordAround(searched, at);
    if (last) words.push(last);
  }
  return words;
}

/** The marks of a quoted mail, a list or a numbered listing at the start of a line. */
const lineMarks = /(?:\n|\\n)\s{0,20}(?:(?:[>|+*#-]|\d{1,6}[\t:\u2192])\s{0,8}){1,4}/g;

/** What is between two words, without blanks and line marks, and with one mark for any number. */
const separatorBetween = (text: string, first: SeedWord, second: SeedWord): string =>
  text
    .slice(first.end, second.start)
    .replaceAll(lineMarks, '')
    .replaceAll(/\\[nrt]|\s/g, '')
    .replaceAll(/\d+/g, '#');

/** The parts of a row of words that have the same separator. */
function* rowsOf(text: string, words: readonly SeedWord[]): Generator<SeedWord[]> {
  let row: SeedWord[] = [];
  let separator: string | undefined;
  for (const word of words) {
    const last = row.at(-1);
    const between = last && separatorBetween(text, last, word);
    if (last && separator !== undefined && between !== separator) {
      yield row;
      // The last word may also be the first one of the next row.
      row = [last];
    }
    separator = row.length === 0 ? undefined : between;
    row.push(word);
  }
  yield row;
}

/** Whether the last bits are the first ones of the SHA-256 of the others. */
function hasChecksum(seed: readonly number[]): boolean {
  const bits = seed.length * BITS_OF_WORD;
  const checksumBits = bits / 33;
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  for (const [index, place] of seed.entries())
    for (let bit = 0; bit < BITS_OF_WORD; bit += 1) {
      const at = index * BITS_OF_WORD + bit;
      const byte = at >> 3;
      if ((place >> (BITS_OF_WORD - 1 - bit)) & 1)
        bytes[byte] = (bytes[byte] ?? 0) | (128 >> (at & 7));
    }
  const size = (bits - checksumBits) / 8;
  const shift = 8 - checksumBits;
  const [sum = 0] = sha256(bytes.subarray(0, size));
  return (bytes[size] ?? 0) >> shift === sum >> shift;
}

/** The list itself, and other lists of words in alphabetical order, are no seeds. */
const isSorted = (seed: readonly number[]): boolean =>
  seed.every((place, at) => at === 0 || place > (seed[at - 1] ?? 0));

/** Whether the words of the list at these places are a seed. */
const isSeed = (seed: readonly number[]): boolean => !isSorted(seed) && hasChecksum(seed);

/** The seed phrase in a row of words, the longest one. */
function phraseIn(row: readonly SeedWord[]): Finding | undefined {
  for (const length of LENGTHS) {
    const spare = row.length - length;
    if (spare < 0 || spare > 2 * MAX_BESIDE) continue;
    for (let from = 0; from <= spare; from += 1) {
      if (from > MAX_BESIDE || spare - from > MAX_BESIDE) continue;
      const words = row.slice(from, from + length);
      const [first, last] = [words[0], words.at(-1)];
      if (first && last && isSeed(words.map(({ place }) => place)))
        return { start: first.start, end: last.end };
    }
  }
  return undefined;
}

/** The row of words at a position, after `earliest`. */
function wordsAt(searched: Searched, at: number, earliest: number): SeedWord[] {
  const { units } = searched;
  const letter = isLetter(units, at) && !isEscaped(units, at) ? at : previousLetter(units, at);
  const word = letter < earliest ? undefined : wordAround(searched, letter);
  return word && word.start >= earliest ? wordsAround(searched, word, earliest) : [];
}

/**
 * Seed phrases of wallets (BIP-39, English): 12 to 24 words of a list, with a checksum, between which
 * are blanks, line breaks, commas, numbers or quotes. Only words at the distance of the shortest phrase
 * are looked up, and then those around them.
 */
export function findSeedPhrases(text: string, units = codeUnitsOf(text)): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (let at = MIN_PHRASE_LENGTH - 1; at < text.length; at += MIN_PHRASE_LENGTH) {
    if (at < done) continue;
    const words = wordsAt({ text, units }, at, done);
    done = Math.max(done, words.at(-1)?.end ?? 0);
    if (words.length < MIN_WORDS) continue;
    for (const row of rowsOf(text, words)) {
      const phrase = phraseIn(row);
      if (phrase && phrase.start >= (findings.at(-1)?.end ?? 0)) findings.push(phrase);
    }
  }
  return findings;
}

/** Whether the items of a list are the words of a seed phrase. */
export const isSeedPhrase = (items: readonly unknown[]): boolean => {
  if (!LENGTHS.includes(items.length)) return false;
  const seed: number[] = [];
  for (const item of items) {
    const place = typeof item === 'string' ? places.get(item.trim().toLowerCase()) : undefined;
    if (place === undefined) return false;
    seed.push(place);
  }
  return isSeed(seed);
};
