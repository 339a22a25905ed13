import { RE2Set } from 're2js';
import type { Detector, Finding } from '../detector.ts';
import type { Pattern } from './pattern.ts';
import { LONGEST_MATCH, searchPattern } from './pattern-search.ts';
import { type Clocks, stopwatch } from './stopwatch.ts';

const SLICE = 8 * LONGEST_MATCH;

/** What the automaton of all patterns together may take, in bytes. */
const MEMORY = 2 * 1024 * 1024;

export interface PatternOptions extends Clocks {
  /** What is found in a text that took too long: all of it, unless this says otherwise. */
  tooSlow?: (text: string) => Finding[];
}

const whole = (text: string): Finding[] => [{ start: 0, end: text.length }];

/**
 * Detectors for patterns that admins wrote. One pass over a text finds which of them match where;
 * each is then searched for only there. Patterns cannot stall recording: a text that takes too long
 * is masked entirely.
 */
export function patternDetectors(
  patterns: readonly Pattern[],
  { tooSlow = whole, ...clocks }: PatternOptions,
): Detector[] {
  if (patterns.length === 0) return [];
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MEMORY);
  for (const { source } of patterns) set.add(source);
  set.compile();
  const watch = stopwatch(clocks);
  let latest = { text: '', places: [] as Finding[][] | null };

  // Every detector is given the same text in turn.
  const placesIn = (text: string): Finding[][] | null => {
    if (text !== latest.text)
      latest = { text, places: watch.measure(text.length, (isOver) => occurrences(text, isOver)) };
    return latest.places;
  };

  const occurrences = (text: string, isOver: () => boolean): Finding[][] | null => {
    const places = patterns.map((): Finding[] => []);
    for (let start = 0; start === 0 || start + LONGEST_MATCH < text.length; start += SLICE) {
      if (isOver()) return null;
      const end = Math.min(start + SLICE + LONGEST_MATCH, text.length);
      for (const index of set.match(text.slice(start, end))) extend(places[index], { start, end });
    }
    return places;
  };

  return patterns.map((pattern, index) => {
    const watch = stopwatch(clocks);
    const find = (text: string): Finding[] => {
      const places = placesIn(text)?.[index];
      if (places?.length === 0) return [];
      const found =
        places && watch.measure(text.length, (isOver) => searchAll(pattern, text, places, isOver));
      return found ?? tooSlow(text);
    };
    return { type: pattern.name, find };
  });
}

/** Adds a place, to the last one if they touch. */
function extend(places: Finding[] = [], place: Finding): void {
  const last = places.at(-1);
  if (last && place.start <= last.end) last.end = place.end;
  else places.push(place);
}

function searchAll(
  pattern: Pattern,
  text: string,
  places: readonly Finding[],
  isOver: () => boolean,
): Finding[] | null {
  const findings: Finding[] = [];
  for (const place of places) {
    const found = searchPattern(pattern, text, place, isOver);
    if (!found) return null;
    findings.push(...found);
  }
  return findings;
}
