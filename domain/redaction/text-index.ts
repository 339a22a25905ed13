import { endOfAll, type Finding, type SearchRanges } from './detector.ts';
import { runsOf } from './character-runs.ts';

/** The length of the shortest key, a Gatehouse key. */
export const MIN_KEY_LENGTH = 15;
export const KEY_CHARACTERS = /[\w./+=~:-]/;

const keyRunsOf = runsOf(KEY_CHARACTERS, MIN_KEY_LENGTH);

/** Search ranges of one text, computed on first use and shared by all detectors. */
export class TextIndex implements SearchRanges {
  readonly #text: string;
  #numbers: readonly Finding[] | undefined;
  #keyRuns: readonly Finding[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get numbers(): readonly Finding[] {
    return (this.#numbers ??= numberStretches(this.#text));
  }

  get keyRuns(): readonly Finding[] {
    return (this.#keyRuns ??= keyRunsOf(this.#text));
  }
}

/**
 * Six digits, each at most four characters after the previous one. Every detected number has at
 * least six digits.
 */
const numberBeginning = /\d\D{0,4}\d\D{0,4}\d\D{0,4}\d\D{0,4}\d\D{0,4}\d/g;
const moreDigits = /(?:\D{0,4}\d){1,1000}/y;

/**
 * The distance before a number within which its name may be, and the distance after it within which
 * its last letters may be.
 */
const BEFORE = 80;
const AFTER = 20;

function numberStretches(text: string): Finding[] {
  const stretches: Finding[] = [];
  numberBeginning.lastIndex = 0;
  for (let match = numberBeginning.exec(text); match; match = numberBeginning.exec(text)) {
    numberBeginning.lastIndex = endOfAll(moreDigits, text, numberBeginning.lastIndex);
    const start = Math.max(0, match.index - BEFORE);
    const end = Math.min(text.length, numberBeginning.lastIndex + AFTER);
    const last = stretches.at(-1);
    if (last && start <= last.end) last.end = end;
    else stretches.push({ start, end });
  }
  return stretches;
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
