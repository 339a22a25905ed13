import type { Finding } from './detector.ts';

const ASCII = 128;
const CODE_UNITS = 65_536;

/**
 * Finds runs of at least `minLength` characters of an ASCII class. It tests backwards from the
 * earliest possible end of a run, so in ordinary text it reads only one character in several.
 */
export function runsOf(characters: RegExp, minLength: number): (text: string) => Finding[] {
  const isOne = new Uint8Array(CODE_UNITS);
  for (let code = 0; code < ASCII; code += 1)
    isOne[code] = Number(characters.test(String.fromCharCode(code)));
  return (text) => {
    const runs: Finding[] = [];
    const last = text.length - minLength;
    let start = 0;
    while (start <= last) {
      let at = start + minLength - 1;
      while (at >= start && isOne[text.charCodeAt(at)] === 1) at -= 1;
      if (at >= start) {
        start = at + 1;
        continue;
      }
      let end = start + minLength;
      while (end < text.length && isOne[text.charCodeAt(end)] === 1) end += 1;
      runs.push({ start, end });
      start = end + 1;
    }
    return runs;
  };
}
