import { type Detector, endOf, type Finding, isAlphanumeric, isDigit, shaped } from './detector.ts';
import { nearNumbers } from './text-index.ts';

/** E.164 has at most 15 digits; fewer than ten are too often something else. */
const LONGEST = 15;
const SHORTEST = 10;

// Only where enough digits follow at all: what is no number of any kind costs nothing more.
const plus = /(?<![A-Za-z0-9+])\+(?=[1-9](?:[ ().\-/]{0,2}\d){9})/g;
const group = /(?: ?\(\d{1,4}\) ?|[ .\-/])?\d{1,15}/y;

/** With the code of the country: `+49 (0)30 1234567`, `+1-202-555-0143`. */
function findInternational(text: string): Finding[] {
  if (!text.includes('+')) return [];
  const findings: Finding[] = [];
  plus.lastIndex = 0;
  for (let match = plus.exec(text); match; match = plus.exec(text)) {
    const end = endOfNumber(text, plus.lastIndex);
    if (end !== -1) findings.push({ start: match.index, end });
  }
  return findings;
}

/** Takes groups of digits as long as they can belong to one number. */
function endOfNumber(text: string, from: number): number {
  let end = from;
  let digits = 0;
  for (let next = endOf(group, text, from); next !== -1; next = endOf(group, text, end)) {
    const more = digitsIn(text, end, next);
    if (digits + more > LONGEST) break;
    digits += more;
    end = next;
  }
  return digits < SHORTEST || isAlphanumeric(text, end) ? -1 : end;
}

function digitsIn(text: string, start: number, end: number): number {
  let digits = 0;
  for (let at = start; at < end; at += 1) if (isDigit(text, at)) digits += 1;
  return digits;
}

/** `(202) 555-0143`, `202-555-0143`, `1.202.555.0143`. */
const northAmerican = shaped({
  type: 'PHONE',
  sign: /\d\d\)?[ .-]?\d{3}[ .-]\d{4}/,
  pattern:
    /(?<![A-Za-z0-9])(?<!\d[-./])(?:1[ .-])?(?:\([2-9]\d\d\)[ -]?[2-9]\d\d[ .-]|[2-9]\d\d-[2-9]\d\d-|[2-9]\d\d\.[2-9]\d\d\.)\d{4}(?![A-Za-z0-9])(?![-.]\d)/g,
});

/** Anything like a number right after a word that says what it is: `Tel.: 030 1234567`. */
const named = shaped({
  type: 'PHONE',
  pattern:
    /(?<![a-z])(?:tele)?(?:phone|tel|mobile|cell|fax|whatsapp)(?: number| no\.?)?[^a-z0-9\n+(]{1,6}(?<found>\(?\d[\d .()/-]{5,18}\d)(?![a-z0-9])/gi,
  sign: /phone|tel|mobile|cell|fax|whatsapp/i,
  accept(candidate) {
    const digits = digitsIn(candidate, 0, candidate.length);
    return digits >= 7 && digits <= LONGEST;
  },
});

export const phone: Detector = {
  type: 'PHONE',
  shortest: 11,
  find: nearNumbers((text) => [
    ...findInternational(text),
    ...northAmerican.find(text),
    ...named.find(text),
  ]),
};
