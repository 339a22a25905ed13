import type { TriggerWords } from './search/trigger-words.ts';

/** A range of a text in UTF-16 code units: `start` inclusive, `end` exclusive. */
export interface Finding {
  start: number;
  end: number;
}

/** The parts of a text that certain detectors have to search. */
export interface SearchRanges {
  /** Surroundings of digits that are close together, as in every number with a fixed format. */
  readonly numbers: readonly Finding[];
  /** Runs of key characters. Prose contains few that are long enough for a key. */
  readonly keyRuns: readonly Finding[];
  /** The positions of words near which there may be a value. */
  readonly words: TriggerWords;
  /** They are found by words at a distance from each other, together with the other ranges. */
  readonly seedPhrases: readonly Finding[];
}

/** Detects values of one type. Findings are not empty and in text order. */
export interface Detector {
  type: string;
  /** Minimum length of a text that can contain a finding. */
  minLength?: number;
  /** `ranges` limits the search, if they have been computed already. */
  find(text: string, ranges?: SearchRanges): Finding[];
  /**
   * For types that are detected by member name: returns a check for the whole value of a member
   * with this name, or undefined if the name does not indicate this type.
   */
  ofMember?: (member: string) => ((value: string) => boolean) | undefined;
  /** Like `ofMember`, for numbers. The check gets their digits. */
  ofNumber?: (member: string) => ((digits: string) => boolean) | undefined;
  /** Whether the items of a list together are a value of this type. */
  ofItems?: (items: readonly unknown[]) => boolean;
  /** Whether the name of a member shows that its value is not of this type, despite its format. */
  excludes?: (member: string, value: string) => boolean;
  /** `ofMember` is precise enough for lists of a name and a value: `["X-Api-Key", "…"]`. */
  inPairs?: true;
  /** Precise enough to redact member names as well as values. */
  inNames?: true;
}

export interface RegexDetectorOptions {
  type: string;
  minLength?: number;
  /**
   * A global pattern. The finding is its group `found`, which must be at the end of the match, or
   * the whole match. Backtracking must be bounded by a constant: cap every repetition, and nest no
   * repetition that has alternatives in another one.
   */
  pattern: RegExp;
  /** A sticky pattern, applied repeatedly, that extends a finding of any length to its end. */
  continuation?: RegExp;
  /** A cheap test: a text that fails it cannot contain a finding. */
  prefilter?: Pick<RegExp, 'test'>;
  /** Accepts or rejects a candidate; without it, all are accepted. */
  accept?: (candidate: string) => boolean;
  inNames?: true;
}

/** Creates a detector for values that have a recognizable format. */
export const regexDetector = ({
  type,
  minLength = 1,
  pattern,
  continuation,
  prefilter,
  accept = () => true,
  inNames,
}: RegexDetectorOptions): Detector => ({
  type,
  minLength,
  ...(inNames && { inNames }),
  find(text) {
    if (prefilter && !prefilter.test(text)) return [];
    const findings: Finding[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const candidate = match.groups?.['found'] ?? match[0];
      const start = pattern.lastIndex - candidate.length;
      if (!accept(candidate)) continue;
      if (continuation) pattern.lastIndex = endOfAll(continuation, text, pattern.lastIndex);
      findings.push({ start, end: pattern.lastIndex });
    }
    return findings;
  },
});

const isDigitCode = (code: number): boolean => code >= 48 && code <= 57;

export const isDigit = (text: string, at: number): boolean => isDigitCode(text.charCodeAt(at));

/** Whether there is an ASCII digit or letter at a position. */
export function isAlphanumeric(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const lower = code | 0x20;
  return isDigitCode(code) || (lower >= 97 && lower <= 122);
}

/** The end after matching a sticky pattern as many times in a row as possible. */
export function endOfAll(sticky: RegExp, text: string, at: number): number {
  let end = at;
  for (let next = end; next !== -1; next = endOf(sticky, text, end)) end = next;
  return end;
}

/** The end of a sticky pattern's match at a position, or -1. */
export function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : -1;
}
