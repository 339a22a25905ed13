import type { Finding } from '../detector.ts';
import type { Pattern } from './pattern.ts';

/** The longest match that is found for certain, in UTF-16 code units. */
export const LONGEST_MATCH = 1024;

/** What one step of a search may read. */
const WINDOW = 2 * LONGEST_MATCH;

/**
 * All that a pattern matches from `start` on, up to matches that begin at `end`. RE2 reads a text
 * in linear time for one match, but may read to its end for each of them; here a match reads no
 * further than a window, unless it fills it.
 *
 * @returns null when `isOver` said so before all was read
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
      at = cut - LONGEST_MATCH;
      reach = WINDOW;
    } else if (match.end === cut && cut < text.length) {
      // Where it ends may be no end in the whole text.
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

/** One character before is read too: whether a word or a line begins depends on it. */
function firstMatch({ matcher }: Pattern, text: string, at: number, cut: number): Finding | null {
  const from = Math.max(at - 1, 0);
  const match = matcher.matcher(text.slice(from, cut));
  if (!match.find(at - from)) return null;
  return { start: from + match.start(), end: from + match.end() };
}
