import { type Detector, endOf, endOfAll, type Finding, isAlphanumeric } from './detector.ts';
import { isExampleKey } from './secret-names.ts';
import { ALNUM, bodyOf, type KeyFormat } from './key-format.ts';
import { keyFormats } from './key-formats.ts';
import { literalSearch } from './literal-search.ts';
import { type MarkedFormat, markedFormats } from './marked-key-formats.ts';
import { MIN_KEY_LENGTH, TextIndex } from './text-index.ts';

interface Matcher {
  begins: string;
  /** A sticky pattern for the whole key. */
  key: RegExp;
}

/** Key characters beyond the documented length, which are redacted too. */
const continuation = /[\w-]{1,1000}/y;

const matchersOf = (format: KeyFormat): Matcher[] =>
  format.begins.map((begins) => ({
    begins,
    key: new RegExp(
      `${RegExp.escape(begins)}${bodyOf(format)}${format.exact ? `(?![${ALNUM}])` : ''}`,
      'y',
    ),
  }));

const ASCII = 128;

/** Matchers by the first two characters of their keys, indexed by `pairAt`. */
const byPair = new Map<number, Matcher[]>();
/** 1 where `byPair` has an entry. One lookup rules out nearly every word. */
const isBeginning = new Uint8Array(ASCII * ASCII);

/** Keys consist of ASCII characters only. */
const pairAt = (text: string, at: number): number =>
  text.charCodeAt(at) * ASCII + text.charCodeAt(at + 1);

for (const matcher of keyFormats.flatMap(matchersOf)) {
  const pair = pairAt(matcher.begins, 0);
  byPair.set(pair, [...(byPair.get(pair) ?? []), matcher]);
  isBeginning[pair] = 1;
}

/** Keys of well-known issuers, recognized by their shape alone. */
export const apiKey: Detector = {
  type: 'API_KEY',
  minLength: MIN_KEY_LENGTH,
  inNames: true,
  find(text, ranges = new TextIndex(text)) {
    // Every format, including marked ones, contains a run of MIN_KEY_LENGTH key characters.
    if (ranges.keyRuns.length === 0) return [];
    const findings: Finding[] = [];
    for (const { start, end } of ranges.keyRuns) addKeys(findings, text, start, end);
    for (const find of markedFinders) findings.push(...find(text));
    return findings.sort((a, b) => a.start - b.start);
  },
};

/** A key starts at the start of a word. */
function addKeys(findings: Finding[], text: string, start: number, end: number): void {
  for (let at = start; at <= end - MIN_KEY_LENGTH; at += 1) {
    if (isBeginning[pairAt(text, at)] !== 1 || isAlphanumeric(text, at - 1)) continue;
    const key = longestKey(text, at);
    if (!key) continue;
    if (!isExampleKey(text.slice(key.body, key.end))) findings.push({ start: at, end: key.end });
    at = key.end - 1;
  }
}

/** The longest key at a position: the end of its literal prefix, and its end. */
function longestKey(text: string, at: number): { body: number; end: number } | undefined {
  let longest: { body: number; end: number } | undefined;
  for (const { begins, key } of byPair.get(pairAt(text, at)) ?? []) {
    const end = endOf(key, text, at);
    if (end > (longest?.end ?? -1)) longest = { body: at + begins.length, end };
  }
  return longest && { ...longest, end: endOfAll(continuation, text, longest.end) };
}

const markedFinders = markedFormats.map(finderOf);

function finderOf({ mark, before, after }: MarkedFormat): (text: string) => Finding[] {
  const head = new RegExp(`(?<=(?<![${ALNUM}])(${before}))`, 'y');
  const tail = new RegExp(after, 'y');
  const marks = literalSearch(mark);
  return (text) => {
    const findings: Finding[] = [];
    for (const at of marks.positionsIn(text)) {
      head.lastIndex = at;
      const lead = head.exec(text)?.[1];
      const end = lead === undefined ? -1 : endOf(tail, text, at + mark.length);
      if (lead === undefined || end === -1) continue;
      const start = at - lead.length;
      if (!isExampleKey(text.slice(start, end)))
        findings.push({ start, end: endOfAll(continuation, text, end) });
    }
    return findings;
  };
}
