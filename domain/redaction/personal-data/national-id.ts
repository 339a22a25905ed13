import { type Detector, endOf, type Finding } from '../detector.ts';
import { isCommaInNumber } from './field-comma.ts';
import { moreNationalIds } from './national-ids-by-name.ts';
import { type NationalId, nationalIds } from './national-ids.ts';
import { wordsOfName } from '../named-secrets/secret-names.ts';
import { nearNumbers } from '../text-index.ts';

const sixDigits = String.raw`\d[A-Z .-]?\d(?:[A-Z .+-]{0,3}\d){4}`;
const prefilter = new RegExp(sixDigits);
/**
 * Matches where a number may start: up to six capitals, then at least six digits that are close
 * together.
 */
const beginning = new RegExp(
  `(?<![A-Za-z0-9])(?<![\\d.,][-.])(?=[A-Z]{0,6}[ -]?${sixDigits})`,
  'g',
);
/** The number must not be part of a longer number or word. */
const end = String.raw`(?![A-Za-z0-9])(?![-.]\d)`;

interface Matcher {
  isValid: (text: string) => boolean;
  /** A sticky pattern. */
  pattern: RegExp;
  /**
   * A sticky pattern that tests, at the start of the number, whether one of the required words is
   * nearby.
   */
  keywordNearby: RegExp | undefined;
  /** Matches the words of a member's name that are such words. */
  names: RegExp | undefined;
}

/**
 * Between a word and its number: on the same line, or as the header and the first row of a table in
 * CSV or Markdown.
 */
const between = String.raw`(?:[^\n]{0,24}|[^\n]{0,20}\n(?:[ |:;,\t-]{3,16}\n)?(?:[^\n]{0,10}[;,|\t])?["' ]{0,2})`;

const matcherOf = ({ isValid = () => true, pattern, keywords }: NationalId): Matcher => ({
  isValid,
  pattern: new RegExp(`(?:${pattern})${end}`, 'y'),
  keywordNearby: keywords
    ? new RegExp(
        `(?<=(?<![a-z])(?:${keywords.replaceAll(' ', '[ _-]?')})(?![a-z])${between})`,
        'iy',
      )
    : undefined,
  names: keywords ? new RegExp(`(?:^| )(?:${keywords.replaceAll('-', ' ')})(?: |$)`) : undefined,
});

const allIds = [...nationalIds, ...moreNationalIds];
const matchers = allIds.map(matcherOf);
/** A sticky pattern for a fast path, because most numbers match none of the formats. */
const anyPattern = new RegExp(
  `(?:${allIds.map(({ pattern }) => `(?:${pattern})`).join('|')})${end}`,
  'y',
);

/** National ids of people, except that of the United States. */
export const nationalId: Detector = {
  type: 'NATIONAL_ID',
  minLength: 9,
  find: (text, ranges) =>
    [...findNumbers(text, ranges), ...findAccounts(text)].sort((a, b) => a.start - b.start),
  ofMember(member) {
    const named = matchersFor(member);
    return named && ((value) => value.length <= MAX_ID_LENGTH && isWholeId(named, value.trim()));
  },
  ofNumber(member) {
    const named = matchersFor(member);
    return named && ((digits) => lostZeros.some((zeros) => isWholeId(named, zeros + digits)));
  },
};

const MAX_NAME_LENGTH = 80;
const MAX_ID_LENGTH = 40;
/** Leading zeros are lost in JSON. */
const lostZeros = ['', '0', '00'];

/** The formats that the name of a member names. */
function matchersFor(member: string): Matcher[] | undefined {
  if (member.length > MAX_NAME_LENGTH) return undefined;
  const words = wordsOfName(member).join(' ');
  const named = matchers.filter(({ names }) => names?.test(words));
  return named.length > 0 ? named : undefined;
}

const isWholeId = (named: readonly Matcher[], text: string): boolean =>
  named.some(({ pattern, isValid }) => endOf(pattern, text, 0) === text.length && isValid(text));

const findNumbers = nearNumbers((text) => {
  if (!prefilter.test(text)) return [];
  const findings: Finding[] = [];
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
    const start = match.index;
    const end = endOfId(text, start);
    if (end !== -1) findings.push({ start, end });
    beginning.lastIndex = Math.max(end, start + 1);
  }
  return findings;
});

/**
 * The permanent account number of a person in India (incometaxindia.gov.in), whose fourth letter is
 * P. It has too few digits for the search near numbers.
 */
const account = /(?<![A-Za-z0-9])[A-Z]{3}P[A-Z](?!0000)\d{4}[A-Z](?![A-Za-z0-9])/y;

function findAccounts(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let at = text.indexOf('P', 3); at !== -1; at = text.indexOf('P', at + 1)) {
    // Most capitals begin a word.
    const end = isCapital(text, at + 1) ? endOf(account, text, at - 3) : -1;
    if (end !== -1) findings.push({ start: at - 3, end });
  }
  return findings;
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90;
}

/** Blanks and a number next to an id, and digits in ascending order. */
const numberBefore = /(?<=\d {1,8})/y;
const numberAfter = / {1,8}-?\d/y;
const groups = /\d \d/;
const ascending = /^0?1234567890?\d*$/;
/** As in a copyright notice: `2017-2018-2024`. */
const years = /^(?:(?:19|20)\d\d[ -]){2}(?:19|20)\d\d$/;

/**
 * Whether only chance makes the number valid: in columns of numbers, as in logs and reports, one in ten
 * to a hundred passes the check. Groups of digits may be numbers of such columns themselves.
 */
function isAmongNumbers(text: string, start: number, end: number): boolean {
  const number = text.slice(start, end);
  if (years.test(number)) return true;
  if (/[^\d ]/.test(number)) return false;
  if (ascending.test(number) || text[start - 1] === '+') return true;
  const isBefore = endOf(numberBefore, text, start) !== -1;
  const isAfter = endOf(numberAfter, text, end) !== -1;
  return groups.test(number) ? isBefore || isAfter : isBefore && isAfter;
}

function endOfId(text: string, start: number): number {
  if (endOf(anyPattern, text, start) === -1 || isCommaInNumber(text, start - 1)) return -1;
  for (const { isValid, pattern, keywordNearby } of matchers) {
    const end = endOf(pattern, text, start);
    if (end === -1 || !isValid(text.slice(start, end)) || isCommaInNumber(text, end, start))
      continue;
    const isNamed = keywordNearby && endOf(keywordNearby, text, start) !== -1;
    if (isNamed || (!keywordNearby && !isAmongNumbers(text, start, end))) return end;
  }
  return -1;
}
