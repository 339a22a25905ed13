import type { Finding } from './detector.ts';

const ASCII = 128;

/**
 * Finds the runs of at least `shortest` characters out of a class of ASCII. It looks backwards from
 * where a run that begins here would have to go on, so that of ordinary text it reads one character
 * in several.
 */
export function runsOf(characters: RegExp, shortest: number): (text: string) => Generator<Finding> {
  const isOne = Uint8Array.from({ length: ASCII }, (_, code) =>
    Number(characters.test(String.fromCharCode(code))),
  );
  const belongs = (text: string, at: number): boolean => {
    const code = text.charCodeAt(at);
    return code < ASCII && isOne[code] === 1;
  };
  return function* (text) {
    let start = 0;
    while (start + shortest <= text.length) {
      let at = start + shortest - 1;
      while (at >= start && belongs(text, at)) at -= 1;
      if (at >= start) {
        start = at + 1;
        continue;
      }
      let end = start + shortest;
      while (end < text.length && belongs(text, end)) end += 1;
      yield { start, end };
      start = end + 1;
    }
  };
}
