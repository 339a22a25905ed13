import type { Finding, SearchRanges } from './detector.ts';
import { runsOf } from './search/character-runs.ts';
import { codeUnitsOf, membersOf } from './search/code-units.ts';
import { findSeedPhrases } from './private-keys/seed-phrases.ts';
import { type TriggerWords, triggerWordsIn } from './search/trigger-words.ts';

/** The length of the shortest key, a Gatehouse key. */
export const MIN_KEY_LENGTH = 15;
export const KEY_CHARACTERS = /[\w./+=~:-]/;

const keyRunsIn = runsOf(KEY_CHARACTERS, MIN_KEY_LENGTH);

/** Search ranges of one text, computed together on first use and shared by all detectors. */
export class TextIndex implements SearchRanges {
  readonly #text: string;
  #ranges: SearchRanges | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get numbers(): readonly Finding[] {
    return this.#computed.numbers;
  }

  get keyRuns(): readonly Finding[] {
    return this.#computed.keyRuns;
  }

  get words(): TriggerWords {
    return this.#computed.words;
  }

  get seedPhrases(): readonly Finding[] {
    return this.#computed.seedPhrases;
  }

  get #computed(): SearchRanges {
    return (this.#ranges ??= rangesOf(this.#text));
  }
}

/** In a longer text, a seed phrase is only searched if the text says what it is about. */
const MAX_UNNAMED = 1000;

function rangesOf(text: string): SearchRanges {
  const units = codeUnitsOf(text);
  const words = triggerWordsIn(text, units);
  return {
    numbers: numberStretches(text, units),
    keyRuns: keyRunsIn(text, units),
    words,
    seedPhrases:
      text.length <= MAX_UNNAMED || words('seed').length > 0 ? findSeedPhrases(text, units) : [],
  };
}

/** Every detected number has at least six digits, each at most four characters after the previous one. */
const MIN_DIGITS = 6;
const MAX_DISTANCE = 5;

/**
 * The distance before a number within which its name may be, and the distance after it within which
 * its last letters may be.
 */
const BEFORE = 80;
const AFTER = 20;

const isDigit = membersOf(/\d/);

function nextDigit(units: Uint16Array, from: number, end: number): number {
  let at = from;
  while (at < end && isDigit[units[at] ?? 0] === 0) at += 1;
  return at;
}

function numberStretches({ length }: string, units: Uint16Array): Finding[] {
  const stretches: Finding[] = [];
  for (let first = nextDigit(units, 0, length); first < length;) {
    let digits = 0;
    let last = first;
    let next = first;
    for (
      ;
      next < length && next - last <= MAX_DISTANCE;
      next = nextDigit(units, next + 1, length)
    ) {
      digits += 1;
      last = next;
    }
    if (digits >= MIN_DIGITS)
      addStretch(stretches, Math.max(0, first - BEFORE), Math.min(length, last + 1 + AFTER));
    first = next;
  }
  return stretches;
}

/** Adds a range, or extends the previous one if they touch. */
function addStretch(stretches: Finding[], start: number, end: number): void {
  const previous = stretches.at(-1);
  if (previous && start <= previous.end) previous.end = end;
  else stretches.push({ start, end });
}

/**
 * Limits a detector to the surroundings of digits, which contain all that its result depends on.
 */
export const nearNumbers =
  (find: (text: string) => Finding[]) =>
  (text: string, { numbers }: SearchRanges = new TextIndex(text)): Finding[] =>
    numbers.flatMap(({ start: at, end }) =>
      find(text.slice(at, end)).map((found) => ({ start: found.start + at, end: found.end + at })),
    );
