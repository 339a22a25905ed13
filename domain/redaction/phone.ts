import { callingCodeOf, isInternational } from './calling-codes.ts';
import { type Detector, endOf, type Finding, isAlphanumeric, regexDetector } from './detector.ts';
import { wordsOfName } from './secret-names.ts';
import { nearNumbers } from './text-index.ts';

/** E.164 allows 15 digits, the country code included. Numbers with fewer than nine are rare. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 9;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

// The lookahead requires enough digits, so other text costs nothing more.
const plus = /(?<![A-Za-z0-9+])\+(?=[1-9](?:[ ().\-/]{0,2}\d){8})/g;
const group = /(?: ?\(\d{1,4}\) ?|[ .\-/])?\d{1,15}/y;

/** Numbers with a country code: `+49 (0)30 1234567`, `+1-202-555-0143`. */
function findInternational(text: string): Finding[] {
  if (!text.includes('+')) return [];
  const findings: Finding[] = [];
  plus.lastIndex = 0;
  for (let match = plus.exec(text); match; match = plus.exec(text)) {
    const end = endOfNumber(text, plus.lastIndex);
    if (end === -1) continue;
    findings.push({ start: match.index, end });
    plus.lastIndex = end;
  }
  return findings;
}

/** The end of the longest prefix of digit groups that is a valid number, or -1. */
function endOfNumber(text: string, from: number): number {
  let found = -1;
  let digits = '';
  let end = endOf(group, text, from);
  while (end !== -1) {
    const first = digits === '';
    digits = digitsOf(text.slice(from, end));
    // The country code is written without separators: `+3.1415926535` is not a number of +31.
    if (digits.length > MAX_DIGITS || (first && callingCodeOf(digits) === undefined)) break;
    if (digits.length >= MIN_DIGITS && isInternational(digits) && !isAlphanumeric(text, end))
      found = end;
    end = endOf(group, text, end);
  }
  return found;
}

/** Numbers in North American notation: `(202) 555-0143`, `202-555-0143`, `1.202.555.0143`. */
const northAmerican = regexDetector({
  type: 'PHONE',
  prefilter: /\d\d\)?[ .-]?\d{3}[ .-]\d{4}/,
  pattern:
    /(?<![A-Za-z0-9])(?<!\d[-./])(?:1[ .-])?(?:\([2-9]\d\d\)[ -]?[2-9]\d\d[ .-]|[2-9]\d\d-[2-9]\d\d-|[2-9]\d\d\.[2-9]\d\d\.)\d{4}(?![A-Za-z0-9])(?![-.]\d)/g,
});

const isDate = (text: string): boolean => /^(?:19|20)\d\d[-./][01]\d[-./][0-3]\d(?!\d)/.test(text);

/** A domestic number of any country. */
function isNational(text: string): boolean {
  const digits = digitsOf(text).length;
  return digits >= 7 && digits <= MAX_DIGITS && !isDate(text);
}

/** A number right after a word that announces it: `Tel.: 030 1234567`. */
const named = regexDetector({
  type: 'PHONE',
  pattern:
    /(?<![a-z])(?:tele)?(?:phone|tel|mobile|cell|fax|whatsapp)(?: number| no\.?)?[^a-z0-9\n+(]{1,6}(?<found>\(?\d(?:[ .()/-]{0,4}\d){6,17})(?![a-z0-9])/gi,
  prefilter: /phone|tel|mobile|cell|fax|whatsapp/i,
  accept: isNational,
});

/** Members that hold a phone number: `phone`, `homePhone`, `mobile_number`, `fax`. */
const phoneWords = new Set('phone telephone tel mobile cellphone fax whatsapp msisdn'.split(' '));
const numberWords = new Set('number no nr num e164'.split(' '));

export function isPhoneName(member: string): boolean {
  const words = wordsOfName(member).map((word) => word.replace(/(?<=[a-z]{3})\d$/, ''));
  if (numberWords.has(words.at(-1) ?? '')) words.pop();
  const [last = '', before = ''] = words.toReversed();
  return phoneWords.has(last) || (before === 'cell' && last === 'phone');
}

const wholeNumber = /^\s?\+?\(?\d(?:[ .()/-]{0,4}\d){6,17}(?: ?(?:x|ext\.? ?)\d{1,6})?\s?$/i;

export const phone: Detector = {
  type: 'PHONE',
  minLength: 9,
  find: nearNumbers((text) => [
    ...findInternational(text),
    ...northAmerican.find(text),
    ...named.find(text),
  ]),
  ofMember: (member) =>
    isPhoneName(member)
      ? (value) => value.length <= 40 && wholeNumber.test(value) && isNational(value)
      : undefined,
};
