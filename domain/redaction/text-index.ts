import { endOf, type Finding, type Places } from './detector.ts';
import { runsOf } from './runs.ts';

/** The length of the shortest key: one of our own. */
export const SHORTEST_KEY = 15;
export const KEY_CHARACTERS = /[\w./+=~:-]/;

const keyRunsOf = runsOf(KEY_CHARACTERS, SHORTEST_KEY);

/** The places of a text, found when they are first asked for, once for all detectors. */
export class TextIndex implements Places {
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
  (text: string, { numbers }: Places = new TextIndex(text)): Finding[] =>
    numbers.flatMap(({ start: at, end }) =>
      find(text.slice(at, end)).map((found) => ({ start: found.start + at, end: found.end + at })),
    );
