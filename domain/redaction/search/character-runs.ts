import type { Finding } from '../detector.ts';
import { codeUnitsOf, membersOf } from './code-units.ts';

/**
 * Finds runs of at least `minLength` characters of an ASCII class. It tests backwards from the
 * earliest possible end of a run, so in ordinary text it reads only one character in several.
 */
export function runsOf(
  characters: RegExp,
  minLength: number,
): (text: string, units?: Uint16Array) => Finding[] {
  const isMember = membersOf(characters);
  return (text, units = codeUnitsOf(text)) => {
    const { length } = text;
    const runs: Finding[] = [];
    const last = length - minLength;
    let start = 0;
    while (start <= last) {
      let at = start + minLength - 1;
      while (at >= start && isMember[units[at] ?? 0] === 1) at -= 1;
      if (at >= start) {
        start = at + 1;
        continue;
      }
      let end = start + minLength;
      while (end < length && isMember[units[end] ?? 0] === 1) end += 1;
      runs.push({ start, end });
      start = end + 1;
    }
    return runs;
  };
}

/**
 * Like `runsOf`, within a range of a text. `isMember` is 1 for the characters of the class. It tests
 * backwards from the earliest possible end of a run, so it reads few characters of a path or URL.
 */
export function runsWithin(
  text: string,
  range: Finding,
  isMember: Uint8Array,
  minLength: number,
): Finding[] {
  const runs: Finding[] = [];
  for (let { start } = range; start + minLength <= range.end;) {
    let at = start + minLength - 1;
    while (at >= start && isMember[text.charCodeAt(at)] === 1) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + minLength;
    while (end < range.end && isMember[text.charCodeAt(end)] === 1) end += 1;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}
