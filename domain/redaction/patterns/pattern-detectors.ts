import { RE2Set } from 're2js';
import type { Detector, Finding } from '../detector.ts';
import type { Pattern } from './pattern.ts';
import { MAX_MATCH_LENGTH, searchPattern } from './pattern-search.ts';
import { type Clocks, stopwatch } from './stopwatch.ts';

const SLICE = 8 * MAX_MATCH_LENGTH;

/** The memory limit of the combined automaton, in bytes. */
const MEMORY = 2 * 1024 * 1024;

export interface PatternOptions extends Clocks {
  /**
   * Returns the findings in a text whose search took too long. By default, the whole text is one.
   */
  onTimeout?: (text: string) => Finding[];
}

const wholeText = (text: string): Finding[] => [{ start: 0, end: text.length }];

/**
 * Detectors for patterns that admins wrote. One pass with all patterns finds which of them match in
 * which slices of the text; each pattern is then run on only those slices. Patterns cannot stall
 * recording: a text that takes too long is redacted entirely.
 */
export function patternDetectors(
  patterns: readonly Pattern[],
  { onTimeout = wholeText, ...clocks }: PatternOptions,
): Detector[] {
  if (patterns.length === 0) return [];
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MEMORY);
  for (const { source } of patterns) set.add(source);
  set.compile();
  const watch = stopwatch(clocks);
  let latest = { text: '', ranges: [] as Finding[][] | null };

  // All detectors get the same text one after the other, so one result is cached.
  const rangesIn = (text: string): Finding[][] | null => {
    if (text !== latest.text)
      latest = { text, ranges: watch.measure(text.length, (isOver) => occurrences(text, isOver)) };
    return latest.ranges;
  };

  const occurrences = (text: string, isOver: () => boolean): Finding[][] | null => {
    const ranges = patterns.map((): Finding[] => []);
    for (let start = 0; start === 0 || start + MAX_MATCH_LENGTH < text.length; start += SLICE) {
      if (isOver()) return null;
      const end = Math.min(start + SLICE + MAX_MATCH_LENGTH, text.length);
      for (const index of set.match(text.slice(start, end))) extend(ranges[index], { start, end });
    }
    return ranges;
  };

  return patterns.map((pattern, index) => {
    const watch = stopwatch(clocks);
    const find = (text: string): Finding[] => {
      const ranges = rangesIn(text)?.[index];
      if (ranges?.length === 0) return [];
      const found =
        ranges && watch.measure(text.length, (isOver) => searchAll(pattern, text, ranges, isOver));
      return found ?? onTimeout(text);
    };
    return { type: pattern.name, find };
  });
}

/** Appends a range, or extends the last one if they touch. */
function extend(ranges: Finding[] = [], range: Finding): void {
  const last = ranges.at(-1);
  if (last && range.start <= last.end) last.end = range.end;
  else ranges.push(range);
}

function searchAll(
  pattern: Pattern,
  text: string,
  ranges: readonly Finding[],
  isOver: () => boolean,
): Finding[] | null {
  const findings: Finding[] = [];
  for (const range of ranges) {
    const found = searchPattern(pattern, text, range, isOver);
    if (!found) return null;
    findings.push(...found);
  }
  return findings;
}
