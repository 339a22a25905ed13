import type { Detector, Finding } from './detector.ts';

/** Digits in groups with a single space or dash between them, as cards are written. */
const run = /(?<![A-Za-z0-9])(?<!\d[.,])\d{4,19}(?:[ -]\d{2,7}){0,1000}(?![A-Za-z0-9])/g;

/** Thirteen digits, the fewest that a card has. */
const sign = /\d(?:[ -]?\d){12}/;

/** First digits and length, by network. */
const networks: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^(?:6011|65\d\d|64[4-9]\d)\d{12,15}$/, // Discover
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/, // Diners Club
  /^62\d{14,17}$/, // UnionPay
];

const groupings = new Set(['4-4-4-4', '4-6-5', '4-6-4', '4-4-4-4-3', '4-4-4-1', '6-13', '8-8']);

export const creditCard: Detector = {
  type: 'CREDIT_CARD',
  find(text) {
    if (!sign.test(text)) return [];
    const findings: Finding[] = [];
    run.lastIndex = 0;
    for (let match = run.exec(text); match; match = run.exec(text))
      for (const { start, end } of cardsIn(match[0]))
        findings.push({ start: match.index + start, end: match.index + end });
    return findings;
  },
};

/** A card may stand between other numbers: whole groups are tried, of a row at most five together. */
function* cardsIn(digits: string): Generator<Finding> {
  const groups = [...digits.matchAll(/\d{1,19}/g)];
  for (const [index, first] of groups.entries())
    for (let last = index; last < Math.min(index + 5, groups.length); last += 1) {
      const taken = groups.slice(index, last + 1).map(([group]) => group);
      if (!isGrouped(taken) || !isCard(taken.join(''))) continue;
      const end = groups[last];
      yield { start: first.index, end: (end?.index ?? 0) + (end?.[0].length ?? 0) };
    }
}

const isGrouped = (groups: readonly string[]): boolean =>
  groups.length === 1 || groupings.has(groups.map((group) => group.length).join('-'));

const isCard = (digits: string): boolean =>
  digits.length >= 13 &&
  digits.length <= 19 &&
  networks.some((network) => network.test(digits)) &&
  isLuhn(digits);

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.at(-1 - i));
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
