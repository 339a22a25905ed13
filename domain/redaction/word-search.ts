import { codeUnitsOf } from './code-units.ts';

/** A word of ASCII characters, in lower case, which is found in any case. */
export interface SearchedWord {
  /** At least three characters, or two if it is a whole word. */
  word: string;
  /** No ASCII letter, digit or underscore is beside it. */
  isWhole: boolean;
}

type Groups<Group extends string> = Readonly<Record<Group, readonly SearchedWord[]>>;

/** The positions of the words of a group, in ascending order. */
export type WordPositions<Group extends string> = (group: Group) => readonly number[];

/** Codes from the last one on share their entries in tables. No word contains them. */
const CODES = 128;
const LAST = CODES - 1;
const classOf = (unit: number | undefined): number => Math.min(unit ?? 0, LAST);
const pairOf = (first: number, second: number): number => first * CODES + second;

const allCodes = Array.from({ length: CODES }, (_, code) => code);
const isPartOfWord = allCodes.map((code) => code !== LAST && /\w/.test(String.fromCharCode(code)));
const besideWord = allCodes.filter((code) => !isPartOfWord[code]);
const isPart = (unit: number | undefined): boolean => isPartOfWord[classOf(unit)] === true;

interface Word {
  codes: readonly number[];
  /** The bit in which the two cases of a letter differ, 0 for other characters. */
  caseBits: readonly number[];
  isWhole: boolean;
  groups: readonly string[];
}

/** Two adjacent characters of a word, at a distance from its start. */
interface Pair {
  word: Word;
  distance: number;
  /** The codes that may follow the pair. */
  following: readonly number[];
}

/**
 * Creates a search for many words in one pass. It reads every other pair of characters of the text:
 * wherever a word starts, one of two consecutive pairs in it is read. Few pairs are part of a word.
 */
export function wordSearch<Group extends string>(
  groups: Groups<Group>,
): (text: string, units?: Uint16Array) => WordPositions<Group> {
  const pairs = pairsOf(groups);
  const lists: (readonly Pair[])[] = [[]];
  /** An index into `lists` for each pair, 0 for most. */
  const listOf = new Uint16Array(CODES * CODES);
  /** 1 for the codes that may follow the pair of a list. */
  const mayFollow = new Uint8Array(CODES * (pairs.size + 1));
  for (const [pair, list] of pairs) {
    const index = lists.push(list) - 1;
    listOf[pair] = index;
    for (const code of list.flatMap(({ following }) => following))
      mayFollow[pairOf(index, code)] = 1;
  }

  return (text, units = codeUnitsOf(text)) => {
    const found = new Map<string, number[]>();
    for (let at = 0; at < text.length; at += 2) {
      const index = listOf[pairOf(classOf(units[at]), classOf(units[at + 1]))] ?? 0;
      if (index === 0 || mayFollow[pairOf(index, classOf(units[at + 2]))] === 0) continue;
      for (const { word, distance } of lists[index] ?? [])
        if (isAt(word, units, at - distance))
          for (const group of word.groups) insert(listIn(found, group), at - distance);
    }
    return (group) => found.get(group) ?? [];
  };
}

function isAt({ codes, caseBits, isWhole }: Word, units: Uint16Array, start: number): boolean {
  for (let at = 0; at < codes.length; at += 1)
    if (((units[start + at] ?? 0) | (caseBits[at] ?? 0)) !== codes[at]) return false;
  return !isWhole || (!isPart(units[start - 1]) && !isPart(units[start + codes.length]));
}

/** Words are found in the order of their pairs, which differ from their starts by a few characters. */
function insert(positions: number[], position: number): void {
  let at = positions.length;
  for (; (positions[at - 1] ?? -1) > position; at -= 1) positions[at] = positions[at - 1] ?? 0;
  positions[at] = position;
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const known = lists.get(key);
  if (known) return known;
  const list: V[] = [];
  lists.set(key, list);
  return list;
}

/** The words by the pairs that are searched for. */
function pairsOf(groups: Groups<string>): Map<number, Pair[]> {
  const pairs = new Map<number, Pair[]>();
  for (const word of wordsOf(groups)) {
    const codes = word.codes.map(casesOf).concat(word.isWhole ? [besideWord] : []);
    const rarest = rarestPairs(codes);
    for (const distance of [rarest, rarest + 1]) {
      const following = codes[distance + 2] ?? allCodes;
      for (const first of codes[distance] ?? [])
        for (const second of codes[distance + 1] ?? [])
          listIn(pairs, pairOf(first, second)).push({ word, distance, following });
    }
  }
  return pairs;
}

/** Each word once, with all its groups. */
function wordsOf(groups: Groups<string>): Word[] {
  const words = new Map<string, SearchedWord & { groups: string[] }>();
  for (const [group, list] of Object.entries(groups))
    for (const { word, isWhole } of list) {
      const key = `${word} ${isWhole}`;
      const known = words.get(key);
      if (known) known.groups.push(group);
      else words.set(key, { word, isWhole, groups: [group] });
    }
  return Array.from(words.values(), ({ word, isWhole, groups }) => {
    const codes = Array.from(word, (character) => character.charCodeAt(0));
    return { codes, caseBits: codes.map(caseBitOf), isWhole, groups };
  });
}

const isLowerCase = (code: number): boolean => code >= 97 && code <= 122;
const caseBitOf = (code: number): number => (isLowerCase(code) ? 0x20 : 0);
const casesOf = (code: number): number[] => (isLowerCase(code) ? [code, code - 0x20] : [code]);

/** The characters of English and of program code, the most frequent first. */
const FREQUENT = ' etaoinsrlcdhpumfgybw.-/_"\'(),:=vk';

/** A rough measure of how often one of the characters occurs. */
const frequencyOf = (codes: readonly number[]): number =>
  codes.reduce((sum, code) => {
    const rank = FREQUENT.indexOf(String.fromCharCode(code));
    return sum + (rank === -1 ? 1 : FREQUENT.length - rank);
  }, 0);

/** The distance from the start of a word of its two consecutive pairs that occur least often. */
function rarestPairs(characters: readonly (readonly number[])[]): number {
  const frequencies = characters.map(frequencyOf);
  const of = (at: number): number => frequencies[at] ?? 0;
  const cost = (at: number): number => of(at + 1) * (of(at) + of(at + 2));
  const distances = Array.from({ length: characters.length - 2 }, (_, at) => at);
  return distances.reduce((best, at) => (cost(at) < cost(best) ? at : best), 0);
}
