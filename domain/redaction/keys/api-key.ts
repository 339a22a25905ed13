import { AZURE_DEVOPS_TOKEN_LENGTH, isAzureDevopsToken } from './azure-devops-token.ts';
import { runsOf } from '../search/character-runs.ts';
import { type Detector, endOf, endOfAll, type Finding, isAlphanumeric } from '../detector.ts';
import { isExampleKey } from '../named-secrets/secret-names.ts';
import { ALNUM, BASE62, bodyOf, type KeyFormat, type MarkedFormat } from './key-format.ts';
import { keyFormats } from './key-formats.ts';
import { literalSearch } from '../search/literal-search.ts';
import { markedFormats, MIN_MARKED_RUN } from './marked-key-formats.ts';
import { isWords } from '../named-secrets/names.ts';
import { looksRandom } from './random-text.ts';
import { MIN_KEY_LENGTH, TextIndex } from '../text-index.ts';

interface Matcher {
  begins: string;
  /** A sticky pattern for the part after the prefix. */
  body: RegExp;
  random: boolean;
  separate: boolean;
}

/** Key characters beyond the documented length, which are redacted too. */
const continuation = /[\w-]{1,1000}/y;

const matchersOf = (format: KeyFormat): Matcher[] =>
  format.begins.map((begins) => ({
    begins,
    body: new RegExp(bodyOf(format), 'y'),
    random: format.random ?? false,
    separate: format.separate ?? false,
  }));

const ASCII = 128;

/** Keys consist of ASCII characters only. */
const pairAt = (text: string, at: number): number =>
  text.charCodeAt(at) * ASCII + text.charCodeAt(at + 1);

interface MarkedMatcher {
  mark: string;
  /** Matches the empty text after the part before the mark, which is its group. */
  head: RegExp;
  tail: RegExp;
  /** The shorter part is matched first. */
  isTailFirst: boolean;
}

function markedMatcherOf({ mark, before, after, example }: MarkedFormat): MarkedMatcher {
  const key = example.join('');
  const at = key.indexOf(mark);
  return {
    mark,
    head: new RegExp(`(?<=(?<![${ALNUM}])(${before}))`, 'y'),
    tail: new RegExp(after, 'y'),
    isTailFirst: key.length - at - mark.length < at,
  };
}

/** A mark of one character may be followed by any letter or digit. */
const beginningsOf = (mark: string): readonly string[] =>
  mark.length === 1 ? BASE62.map((second) => mark + second) : [mark];

const prefixed = keyFormats.flatMap(matchersOf);
const marked = markedFormats
  .filter((format) => !format.anywhere)
  .flatMap((format) => {
    const matcher = markedMatcherOf(format);
    return beginningsOf(format.mark).map((begins) => ({ begins, matcher }));
  });

/** By the first two characters of the prefix or mark. */
const byPrefix = Map.groupBy(prefixed, ({ begins }) => pairAt(begins, 0));
const byMark = Map.groupBy(marked, ({ begins }) => pairAt(begins, 0));

const PREFIX = 1;
const MARK = 2;

/** By `pairAt`: 0 if no prefix or mark begins with the two characters, as at most positions. */
const beginnings = Uint8Array.from(
  { length: ASCII * ASCII },
  (_, pair) => (byPrefix.has(pair) ? PREFIX : 0) | (byMark.has(pair) ? MARK : 0),
);

/** Keys of well-known issuers, recognized by their shape alone. */
export const apiKey: Detector = {
  type: 'API_KEY',
  minLength: MIN_KEY_LENGTH,
  inNames: true,
  find(text, ranges = new TextIndex(text)) {
    // Every format, including marked ones, contains a run of MIN_KEY_LENGTH key characters.
    if (ranges.keyRuns.length === 0) return [];
    const findings: Finding[] = [];
    for (const run of ranges.keyRuns) {
      addKeys(findings, text, run);
      if (run.end - run.start >= AZURE_DEVOPS_TOKEN_LENGTH)
        addAzureDevopsTokens(findings, text, run);
    }
    for (const find of anywhere) findings.push(...find(text));
    return findings.sort((a, b) => a.start - b.start);
  },
};

function addKeys(findings: Finding[], text: string, { start, end }: Finding): void {
  // Only long runs can contain the part of a key after its mark.
  const last = end - start < MIN_MARKED_RUN ? end - MIN_KEY_LENGTH : end - 2;
  for (let at = start; at <= last; at += 1) {
    const kinds = beginnings[pairAt(text, at)] ?? 0;
    if (kinds === 0) continue;
    let found = -1;
    if (kinds & PREFIX && at <= end - MIN_KEY_LENGTH) found = addPrefixedKey(findings, text, at);
    if (found === -1 && kinds & MARK) found = addMarkedKeys(findings, text, at);
    // What is part of a key is not searched again, so the work is linear.
    if (found !== -1) at = found - 1;
  }
}

/** Adds the key that starts at a position. Returns the end of a key or an example of one, or -1. */
function addPrefixedKey(findings: Finding[], text: string, start: number): number {
  // A key starts at the start of a word.
  if (isAlphanumeric(text, start - 1)) return -1;
  const key = longestKey(text, start);
  if (!key) return -1;
  const body = text.slice(key.body, key.end);
  if (!isExampleKey(body) && !isWords(body)) findings.push({ start, end: key.end });
  return key.end;
}

/** The longest key at a position: the end of its literal prefix, and its end. */
function longestKey(text: string, at: number): { body: number; end: number } | undefined {
  let longest: { body: number; end: number } | undefined;
  const before = text.charAt(at - 1);
  const isSeparate = before !== '_' && before !== '-';
  for (const { begins, body, random, separate } of byPrefix.get(pairAt(text, at)) ?? []) {
    if (!text.startsWith(begins, at) || (separate && !isSeparate)) continue;
    const bodyAt = at + begins.length;
    const end = endOf(body, text, bodyAt);
    if (end <= (longest?.end ?? -1) || (random && !looksRandom(text.slice(bodyAt, end)))) continue;
    longest = { body: bodyAt, end };
  }
  return longest && { ...longest, end: endOfAll(continuation, text, longest.end) };
}

/** Returns the end of the key, or -1. */
function addMarkedKeys(findings: Finding[], text: string, at: number): number {
  for (const { matcher } of byMark.get(pairAt(text, at)) ?? []) {
    const end = text.startsWith(matcher.mark, at) ? addMarkedKey(findings, text, at, matcher) : -1;
    if (end !== -1) return end;
  }
  return -1;
}

/** Adds the key around the mark at a position, if there is one. Returns its end, or -1. */
function addMarkedKey(
  findings: Finding[],
  text: string,
  at: number,
  { mark, head, tail, isTailFirst }: MarkedMatcher,
): number {
  if (isTailFirst && endOf(tail, text, at + mark.length) === -1) return -1;
  head.lastIndex = at;
  const lead = head.exec(text)?.[1];
  if (lead === undefined) return -1;
  const last = endOf(tail, text, at + mark.length);
  const start = at - lead.length;
  if (last === -1 || isExampleKey(text.slice(start, last))) return -1;
  const end = endOfAll(continuation, text, last);
  findings.push({ start, end });
  return end;
}

const anywhere = markedFormats
  .filter((format) => format.anywhere)
  .map((format) => {
    const matcher = markedMatcherOf(format);
    const marks = literalSearch(format.mark);
    return (text: string): Finding[] => {
      const findings: Finding[] = [];
      let done = 0;
      for (const at of marks.positionsIn(text))
        if (at >= done) done = Math.max(done, addMarkedKey(findings, text, at, matcher));
      return findings;
    };
  });

const base32RunsOf = runsOf(/[a-z2-7]/, AZURE_DEVOPS_TOKEN_LENGTH);

function addAzureDevopsTokens(findings: Finding[], text: string, run: Finding): void {
  for (const found of base32RunsOf(text.slice(run.start, run.end))) {
    const start = run.start + found.start;
    const end = run.start + found.end;
    const isWord = !isAlphanumeric(text, start - 1) && !isAlphanumeric(text, end);
    if (isWord && isAzureDevopsToken(text.slice(start, end))) findings.push({ start, end });
  }
}
