import { endOf, type Finding } from './detector.ts';
import { runsOf } from './runs.ts';

/** Where in a text some detectors look at all: worked out once for all of them, when first asked for. */
export interface TextIndex {
  /** Around digits that stand close to each other, as in every number that is told by its form. */
  readonly numbers: readonly Finding[];
  /** Runs of the characters that keys are made of. Prose has few that are long enough for a key. */
  readonly keyRuns: readonly Finding[];
}

/** The length of the shortest key: one of our own. */
export const SHORTEST_KEY = 15;
export const KEY_CHARACTERS = /[\w./+=~:-]/;

const keyRunsOf = runsOf(KEY_CHARACTERS, SHORTEST_KEY);

export function textIndexOf(text: string): TextIndex {
  let numbers: readonly Finding[] | undefined;
  let keyRuns: readonly Finding[] | undefined;
  return {
    get numbers() {
      return (numbers ??= numberStretches(text));
    },
    get keyRuns() {
      return (keyRuns ??= keyRunsOf(text));
    },
  };
}

/** Six digits with at most four other characters between two of them; no number has fewer. */
const numberBeginning = /\d\D{0,4}\d\D{0,4}\d\D{0,4}\d\D{0,4}\d\D{0,4}\d/g;
const moreDigits = /(?:\D{0,4}\d){1,1000}/y;

/** A name of a number stands at most so far before it, and letters that belong to it after it. */
const BEFORE = 80;
const AFTER = 20;

function numberStretches(text: string): Finding[] {
  const stretches: Finding[] = [];
  numberBeginning.lastIndex = 0;
  for (let match = numberBeginning.exec(text); match; match = numberBeginning.exec(text)) {
    numberBeginning.lastIndex = endOfDigits(text, numberBeginning.lastIndex);
    const start = Math.max(0, match.index - BEFORE);
    const end = Math.min(text.length, numberBeginning.lastIndex + AFTER);
    const last = stretches.at(-1);
    if (last && start <= last.end) last.end = end;
    else stretches.push({ start, end });
  }
  return stretches;
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  for (let next = end; next !== -1; next = endOf(moreDigits, text, end)) end = next;
  return end;
}

/** Looks only where numbers are. What it finds, and all that it depends on, is within a stretch. */
export const nearNumbers =
  (find: (text: string) => Finding[]) =>
  (text: string, index: TextIndex = textIndexOf(text)): Finding[] =>
    index.numbers.flatMap(({ start: at, end }) =>
      find(text.slice(at, end)).map((found) => ({ start: found.start + at, end: found.end + at })),
    );
