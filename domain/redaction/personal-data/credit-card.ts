import { type Detector, endOf, type Finding, isAlphanumeric, isDigit } from '../detector.ts';
import { isCommaInNumber } from './field-comma.ts';
import { wordsOfName } from '../named-secrets/secret-names.ts';
import { nearNumbers } from '../text-index.ts';

/** A card number has at least twelve digits. */
const prefilter = /\d(?:[ .\u00A0\u202F-]?\d){11}/;

/** Lengths of consecutive digit groups, five bits per group, the last group in the lowest bits. */
type Lengths = number;
const BITS = 5;
const MAX_GROUP_LENGTH = 2 ** BITS - 1;
const FIVE_GROUPS = 2 ** (5 * BITS) - 1;

const append = (lengths: Lengths, length: number): Lengths =>
  ((lengths << BITS) | Math.min(length, MAX_GROUP_LENGTH)) & FIVE_GROUPS;

/** Accepted groupings: one group, or several with a single separator between them. */
const groupings = [
  ...[12, 13, 14, 15, 16, 17, 18, 19].map((length) => [length]),
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 5],
  ...[1, 2, 3].map((last) => [4, 4, 4, 4, last]),
  [6, 13],
].map((groups) => ({
  lengths: groups.reduce(append, 0),
  mask: 2 ** (groups.length * BITS) - 1,
  span: groups.reduce((sum, length) => sum + 1 + length, -1),
}));

/** Tries every sequence of groups, because other numbers may surround a card number. */
export const creditCard: Detector = {
  type: 'CREDIT_CARD',
  minLength: 12,
  find: nearNumbers((text) => {
    if (!prefilter.test(text)) return [];
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
  excludes: (member, value) =>
    value.length <= MAX_CARD_LENGTH && wholeNumber.test(value) && isIdName(member),
};

/** Nineteen digits in five groups. */
const MAX_CARD_LENGTH = 23;
const wholeNumber = /^\d[\d -]{10,21}\d$/;

function addCards(findings: Finding[], text: string, lengths: Lengths, end: number): void {
  for (const grouping of groupings) {
    const start = end - grouping.span;
    if ((lengths & grouping.mask) !== grouping.lengths || !isCardNumber(text, start, end)) continue;
    if (isGrouping(text, start, end) && !isNamedId(text, start)) findings.push({ start, end });
  }
}

/**
 * Names of numbers that are no cards. One in ten of such numbers passes the check of cards, and a
 * quarter of them begin like a card.
 */
const idWords = new Set(
  `id ids uuid ref reference order invoice ticket tracking shipment parcel transaction sku ean gtin isbn
  upc barcode imei iccid serial timestamp time ts nonce seed offset cursor hash checksum version
  snowflake`.split(/\s+/),
);
const numberWords = new Set('number num no nr code'.split(' '));
const MAX_NAME_LENGTH = 60;

/** Whether a member of this name holds the number of something else: `order_id`, `trackingNumber`. */
function isIdName(name: string): boolean {
  const [last = '', before = ''] = wordsOfName(name.slice(-MAX_NAME_LENGTH)).toReversed();
  return idWords.has(last) || (numberWords.has(last) && idWords.has(before));
}

/** A name and its assignment before a number: `order_id: `, `"orderId":"`. */
const nameBefore = /(?<=([\w.-]{1,60})\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)/y;

function isNamedId(text: string, start: number): boolean {
  nameBefore.lastIndex = start;
  const name = nameBefore.exec(text)?.[1];
  return name !== undefined && isIdName(name);
}

/** A space, no-break space, dash or dot. */
const isSeparator = (text: string, at: number): boolean =>
  ' -.\u00A0\u202F'.includes(text.charAt(at));

/**
 * Dots also separate decimals and the parts of versions: no dot may precede the number, and a
 * number in groups has only dots or none.
 */
function isGrouping(text: string, start: number, end: number): boolean {
  if (text[start - 1] === '.' && isDigit(text, start - 2)) return false;
  const separators = text.slice(start, end).replaceAll(/\d/g, '');
  if (!separators.includes('.')) return true;
  return /^\.{2,4}$/.test(separators) && !(text[end] === '.' && isDigit(text, end + 1));
}

/** Before the number of a name that begins with a word, as of a block in Hadoop: `blk_-1608999687919862906`. */
const nameBeforeNumber = /(?<=[A-Za-z]_-?)/y;

/** Whether a number may start here: neither within a word or name nor in the decimals of a number. */
const isBeginning = (text: string, start: number): boolean =>
  !isAlphanumeric(text, start - 1) &&
  endOf(nameBeforeNumber, text, start) === -1 &&
  !(text[start - 1] === '.' && isDigit(text, start - 2)) &&
  !isCommaInNumber(text, start - 1);

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

/**
 * The range of the first four digits, and the minimum and maximum number of digits, of networks
 * (ISO/IEC 7812-1; en.wikipedia.org/wiki/Payment_card_number; github.com/braintree/credit-card-type
 * at 0bac61c0, src/lib/card-types.ts; of RuPay, npci.org.in).
 */
const networks: readonly (readonly [from: number, to: number, least: number, most: number])[] = [
  [4000, 4999, 13, 13], // Visa
  [4000, 4999, 16, 16],
  [4000, 4999, 19, 19],
  [5100, 5599, 16, 16], // Mastercard
  [2221, 2720, 16, 16],
  [3400, 3499, 15, 15], // American Express
  [3700, 3799, 15, 15],
  [6011, 6011, 16, 19], // Discover
  [6440, 6599, 16, 19], // Discover, Elo, RuPay
  [3528, 3589, 16, 19], // JCB
  [1800, 1800, 15, 15],
  [2131, 2131, 15, 15],
  [3000, 3059, 14, 19], // Diners Club
  [3095, 3095, 14, 19],
  [3600, 3699, 14, 19],
  [3800, 3999, 14, 19],
  [6200, 6299, 16, 19], // UnionPay
  [8100, 8171, 16, 19],
  [8172, 8201, 16, 16], // RuPay
  [6069, 6085, 16, 16],
  [2200, 2204, 16, 19], // Mir
  [5000, 5099, 16, 19], // Maestro, Elo, Verve, RuPay, Dankort
  [5018, 5018, 12, 19], // Maestro
  [5020, 5020, 12, 19],
  [5038, 5038, 12, 19],
  [5600, 5899, 16, 19],
  [5893, 5893, 12, 19],
  [6304, 6304, 12, 19],
  [6390, 6390, 16, 19],
  [6700, 6799, 16, 19],
  [6759, 6759, 12, 19],
  [6761, 6763, 12, 19],
  [6362, 6363, 16, 16], // Elo
  [6062, 6062, 16, 16], // Hipercard
  [6370, 6376, 16, 16], // Hiper
  [6042, 6043, 16, 16], // Cabal
  [8600, 8600, 16, 16], // Uzcard
  [9792, 9792, 16, 16], // Troy
  [9860, 9860, 16, 16], // Humo
];

/** The end of a round number, such as a time in nanoseconds. */
const ROUND = '00000000';

/**
 * Whether the digits from `start` to `end` (exclusive), separators skipped, have a network's prefix
 * and length and a valid check digit. The first four digits must be adjacent.
 */
export function isCardNumber(text: string, start: number, end: number): boolean {
  const digits = countLuhnDigits(text, start, end);
  if (digits === 0 || text.endsWith(ROUND, end)) return false;
  const first = Number(text.slice(start, start + 4));
  return networks.some(
    ([from, to, least, most]) => first >= from && first <= to && digits >= least && digits <= most,
  );
}

/**
 * The number of digits if their Luhn checksum is valid, else 0. This is the checksum of `luhn` in
 * `check-digits.ts`, computed on the text: most numbers in a text get here and are no card, so
 * nothing is allocated for them.
 */
function countLuhnDigits(text: string, start: number, end: number): number {
  let digits = 0;
  let sum = 0;
  for (let at = end - 1; at >= start; at -= 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) continue;
    digits += 1;
    const doubled = digits % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 ? digits : 0;
}

const ZERO = 48;
