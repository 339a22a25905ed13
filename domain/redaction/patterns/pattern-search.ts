import type { Finding } from '../detector.ts';
import type { Pattern } from './pattern.ts';

/** The length up to which matches are found reliably, in UTF-16 code units. */
export const MAX_MATCH_LENGTH = 1024;

/** The number of characters that one step of a search may read. */
const WINDOW = 2 * MAX_MATCH_LENGTH;

/**
 * All matches of a pattern that start between `start` and `end`. RE2 finds one match in linear
 * time, but may read to the end of the text for each. Here a match reads only one window, unless it
 * fills that window.
 *
 * @returns null if `isOver` returned true before the search ended
 */
export function searchPattern(
  pattern: Pattern,
  text: string,
  { start, end }: Finding,
  isOver: () => boolean,
): Finding[] | null {
  const findings: Finding[] = [];
  let at = start;
  let reach = WINDOW;
  while (at < end) {
    if (isOver()) return null;
    const cut = Math.min(at + reach, text.length);
    const match = firstMatch(pattern, text, at, cut);
    if (!match) {
      if (cut === text.length) break;
      at = cut - MAX_MATCH_LENGTH;
      reach = WINDOW;
    } else if (match.end === cut && cut < text.length) {
      // The match may end later in the full text.
      at = match.start;
      reach *= 2;
    } else {
      if (match.end > match.start && match.start < end) findings.push(match);
      at = Math.max(match.end, at + 1);
      reach = WINDOW;
    }
  }
  return findings;
}

/** Reads one character before `at`, which decides whether a word or line starts there. */
function firstMatch({ matcher }: Pattern, text: string, at: number, cut: number): Finding | null {
  const from = Math.max(at - 1, 0);
  const match = matcher.matcher(text.slice(from, cut));
  if (!match.find(at - from)) return null;
  return { start: from + match.start(), end: from + match.end() };
}
