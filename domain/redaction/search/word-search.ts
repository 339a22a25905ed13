import { frequencyOf, MAX_FREQUENCY } from './character-frequency.ts';
import { codeUnitsOf, membersOf } from './code-units.ts';

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

/** ASCII without the case of letters, and with some characters that share a code with a letter. */
const FOLDED = 32;
const fold = (code: number): number => code & (FOLDED - 1);
const allFolded = Array.from({ length: FOLDED }, (_, code) => code);
/** Words are searched for by three characters in a row. */
const TRIPLE = 3;
const tripleOf = (first: number, second: number, third: number): number =>
  (fold(first) * FOLDED + fold(second)) * FOLDED + fold(third);

const isPartOfWord = membersOf(/\w/);
const isPart = (code = 0): boolean => isPartOfWord[code] === 1;

interface Word {
  codes: readonly number[];
  /** The bit in which the two cases of a letter differ, 0 for other characters. */
  caseBits: readonly number[];
  isWhole: boolean;
  groups: readonly string[];
}

/** Three characters, at a distance from the start of a word. */
interface Place {
  word: Word;
  distance: number;
}

/**
 * Creates a search for many words in one pass. It reads three characters at every other position of
 * the text: wherever a word starts, one of two consecutive triples of the word is read.
 */
export function wordSearch<Group extends string>(
  groups: Groups<Group>,
): (text: string, units?: Uint16Array) => WordPositions<Group> {
  const { lists, listOf } = tableOf(placesOf(groups));
  return (text, units = codeUnitsOf(text)) => {
    const found = new Map<string, number[]>();
    let first = units[0] ?? 0;
    for (let at = 0; at < text.length; at += 2) {
      const third = units[at + 2] ?? 0;
      const index = listOf[tripleOf(first, units[at + 1] ?? 0, third)] ?? 0;
      first = third;
      if (index === 0) continue;
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

/** Words are found in the order of their triples, which differ from their starts by a few characters. */
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

/** The words by the triples that are searched for. */
function placesOf(groups: Groups<string>): Map<number, Place[]> {
  const places = new Map<number, Place[]>();
  for (const word of wordsOf(groups)) {
    const rarest = rarestTriples(word.codes);
    for (const distance of [rarest, rarest + 1])
      for (const triple of triplesAt(word.codes, distance))
        listIn(places, triple).push({ word, distance });
  }
  return places;
}

/** The triples that may be at a distance from the start of a word. Any character may be beside it. */
function triplesAt(codes: readonly number[], distance: number): number[] {
  const at = (position: number): readonly number[] => {
    const code = codes[position];
    return code === undefined ? allFolded : [fold(code)];
  };
  return at(distance).flatMap((first) =>
    at(distance + 1).flatMap((second) =>
      at(distance + 2).map((third) => tripleOf(first, second, third)),
    ),
  );
}

/** A table of the lists, and the index of its list for each triple, 0 for most. */
function tableOf(places: ReadonlyMap<number, readonly Place[]>) {
  const lists: (readonly Place[])[] = [[]];
  const indices = new Map<string, number>();
  const listOf = new Uint16Array(FOLDED ** TRIPLE);
  for (const [triple, list] of places) {
    const key = list
      .map(({ word, distance }) => `${distance} ${word.codes.join()} ${word.isWhole}`)
      .join(';');
    const index = indices.get(key) ?? lists.push(list) - 1;
    indices.set(key, index);
    listOf[triple] = index;
  }
  return { lists, listOf };
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

/** A rough measure of how often a character of a word occurs; beside the word, any character may. */
const costOf = (code: number | undefined): number =>
  code === undefined ? MAX_FREQUENCY ** 2 : 1 + frequencyOf(String.fromCharCode(code));

/** The distance from the start of a word of its two consecutive triples that occur least often. */
function rarestTriples(codes: readonly number[]): number {
  const frequency = (distance: number): number =>
    [0, 1, 2].reduce((product, at) => product * costOf(codes[distance + at]), 1);
  const cost = (distance: number): number => frequency(distance) + frequency(distance + 1);
  const distances = Array.from(codes.keys(), (at) => at - 1);
  return distances.reduce((best, at) => (cost(at) < cost(best) ? at : best));
}
