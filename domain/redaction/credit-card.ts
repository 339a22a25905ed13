import { isCardNumber } from './card-number.ts';
import { type Detector, type Finding, isAlphanumeric, isDigit } from './detector.ts';
import { nearNumbers } from './text-index.ts';

/** A card number has at least thirteen digits. */
const sign = /\d(?:[ -]?\d){12}/;

/** Lengths of consecutive digit groups, five bits per group, the last group in the lowest bits. */
type Lengths = number;
const BITS = 5;
const LONGEST_GROUP = 2 ** BITS - 1;
const FIVE_GROUPS = 2 ** (5 * BITS) - 1;

const append = (lengths: Lengths, length: number): Lengths =>
  ((lengths << BITS) | Math.min(length, LONGEST_GROUP)) & FIVE_GROUPS;

/** Accepted groupings: one group, or several separated by a single space or dash. */
const groupings = [
  ...[13, 14, 15, 16, 17, 18, 19].map((length) => [length]),
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
  [6, 13],
].map((groups) => ({
  lengths: groups.reduce(append, 0),
  mask: 2 ** (groups.length * BITS) - 1,
  span: groups.reduce((sum, length) => sum + 1 + length, -1),
}));

/** Tries every sequence of groups, because other numbers may surround a card number. */
export const creditCard: Detector = {
  type: 'CREDIT_CARD',
  shortest: 13,
  find: nearNumbers((text) => {
    if (!sign.test(text)) return [];
    const findings: Finding[] = [];
    let lengths: Lengths = 0;
    let end = 0;
    for (let start = nextDigit(text, 0); start < text.length; start = nextDigit(text, end)) {
      const isNext = lengths > 0 && start === end + 1 && isSeparator(text, end);
      end = endOfDigits(text, start);
      const isWord = isAlphanumeric(text, end) || (!isNext && !isBeginning(text, start));
      lengths = isWord ? 0 : append(isNext ? lengths : 0, end - start);
      addCards(findings, text, lengths, end);
    }
    return findings;
  }),
};

function addCards(findings: Finding[], text: string, lengths: Lengths, end: number): void {
  for (const grouping of groupings) {
    const start = end - grouping.span;
    if ((lengths & grouping.mask) === grouping.lengths && isCardNumber(text, start, end))
      findings.push({ start, end });
  }
}

const isSeparator = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '-';

/** Not in the middle of a word, and not the decimals of a number. */
const isBeginning = (text: string, start: number): boolean =>
  !isAlphanumeric(text, start - 1) &&
  !((text[start - 1] === '.' || text[start - 1] === ',') && isDigit(text, start - 2));

function nextDigit(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isDigit(text, at)) at += 1;
  return at;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at += 1;
  return at;
}
