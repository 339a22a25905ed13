import { digitsOf, isMonthAndDay, luhn, mod11And10, verhoeff, weighted } from './check-digits.ts';

/** The number formed by the digits from `start` to `end`. */
function numberOf(digits: readonly number[], start = 0, end = digits.length): number {
  let number = 0;
  for (let at = start; at < end; at += 1) number = number * 10 + (digits[at] ?? 0);
  return number;
}

const isVaried = (digits: readonly number[]): boolean => new Set(digits).size > 2;

/** `DDMMYY` or `YYMMDD` at the start. */
const startsWithDayMonth = (digits: readonly number[]): boolean =>
  isMonthAndDay(numberOf(digits, 2, 4), numberOf(digits, 0, 2));
const startsWithYearMonth = (digits: readonly number[]): boolean =>
  isMonthAndDay(numberOf(digits, 2, 4), numberOf(digits, 4, 6));

const SPANISH = 'TRWAGMYFPDXBNJZSQVHLCKE';
const FINNISH = '0123456789ABCDEFHJKLMNPRSTUVWXY';
const ITALIAN_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** The rank of a letter or digit: A and 0 are 0, B and 1 are 1. */
const rankOf = (character: string): number =>
  /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;

export function isCodiceFiscale(text: string): boolean {
  const characters = Array.from(text.toUpperCase());
  const sum = characters
    .slice(0, 15)
    .map(rankOf)
    .reduce((total, rank, index) => total + (index % 2 ? rank : (ITALIAN_ODD[rank] ?? 0)), 0);
  return rankOf(characters[15] ?? '') === sum % 26;
}

export function isCurp(text: string): boolean {
  const alphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
  const sum = Array.from(text.slice(0, 17)).reduce(
    (total, character, index) => total + alphabet.indexOf(character) * (18 - index),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text[17]);
}

export const isSpanish = (text: string): boolean => {
  const number = text.replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return SPANISH[Number(number.replaceAll(/\D/g, '')) % 23] === text.at(-1);
};

export const isFinnish = (text: string): boolean => {
  const digits = digitsOf(text.slice(0, -1));
  return startsWithDayMonth(digits) && FINNISH[numberOf(digits) % 31] === text.at(-1);
};

export const isFrench = (text: string): boolean => {
  // Corsica's departments are written 2A and 2B.
  const compact = text.replaceAll(' ', '').replace('2A', '19').replace('2B', '18');
  const month = Number(compact.slice(3, 5));
  const hasMonth = (month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50;
  return hasMonth && 97 - Number(BigInt(compact.slice(0, 13)) % 97n) === Number(compact.slice(13));
};

export const isBelgian = (text: string): boolean => {
  const digits = digitsOf(text);
  const body = numberOf(digits, 0, 9);
  const check = numberOf(digits, 9);
  // For people born since 2000, a 2 precedes the number that is divided.
  const passes = 97 - (body % 97) === check || 97 - ((2_000_000_000 + body) % 97) === check;
  return passes && startsWithYearMonth(digits);
};

export const isNorwegian = (text: string): boolean => {
  const digits = digitsOf(text);
  const day = numberOf(digits, 0, 2) % 40;
  return (
    isMonthAndDay(numberOf(digits, 2, 4) % 40, day) &&
    weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
};

export const isPolish = (text: string): boolean => {
  const digits = digitsOf(text);
  return (
    isMonthAndDay(numberOf(digits, 2, 4) % 20, numberOf(digits, 4, 6)) &&
    weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
  );
};

export const isGerman = (text: string): boolean => {
  const digits = digitsOf(text);
  const body = digits.slice(0, 10);
  // Among the first ten digits, exactly one digit occurs two or three times.
  const kinds = new Set(body).size;
  return digits[0] !== 0 && (kinds === 9 || kinds === 8) && mod11And10(digits);
};

export const isBrazilian = (text: string): boolean => {
  const digits = digitsOf(text);
  const check = (weights: readonly number[]): number =>
    ((weighted(digits, weights) * 10) % 11) % 10;
  return (
    isVaried(digits) &&
    check([10, 9, 8, 7, 6, 5, 4, 3, 2]) === digits[9] &&
    check([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === digits[10]
  );
};

export const isChilean = (text: string): boolean => {
  const digits = digitsOf(text.slice(0, -1)).toReversed();
  const rest = 11 - (weighted(digits, [2, 3, 4, 5, 6, 7, 2, 3]) % 11);
  const check = rest === 11 ? '0' : rest === 10 ? 'K' : String(rest);
  return check === text.at(-1)?.toUpperCase();
};

export const isChinese = (text: string): boolean => {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const digits = digitsOf(text.slice(0, 17));
  const hasDate = isMonthAndDay(numberOf(digits, 10, 12), numberOf(digits, 12, 14));
  return hasDate && '10X98765432'[weighted(digits, weights) % 11] === text.at(-1)?.toUpperCase();
};

export const isTurkish = (text: string): boolean => {
  const digits = digitsOf(text);
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  return (
    isVaried(digits) &&
    (((odd * 7 - even) % 10) + 10) % 10 === digits[9] &&
    weighted(digits, Array<number>(10).fill(1)) % 10 === digits[10]
  );
};

export const isRomanian = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  const hasDate = isMonthAndDay(numberOf(digits, 3, 5), numberOf(digits, 5, 7));
  return hasDate && numberOf(digits, 7, 9) <= 52 && (rest === 10 ? 1 : rest) === digits[12];
};

export const isSouthAfrican = (text: string): boolean => {
  const digits = digitsOf(text);
  return startsWithYearMonth(digits) && (digits[10] ?? 9) <= 2 && luhn(digits);
};

export const isSwedish = (text: string): boolean => {
  const digits = digitsOf(text).slice(-10);
  const day = numberOf(digits, 4, 6) % 60;
  return isMonthAndDay(numberOf(digits, 2, 4), day) && luhn(digits);
};

export const isKorean = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
  return startsWithYearMonth(digits) && (11 - rest) % 10 === digits[12];
};

export const isDutch = (text: string): boolean => {
  const digits = digitsOf(text);
  return isVaried(digits) && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
};

export const isPortuguese = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = 11 - (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (rest > 9 ? 0 : rest) === digits[8];
};

export const isBritishHealth = (text: string): boolean => {
  const digits = digitsOf(text);
  return isVaried(digits) && weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
};

export const isSwiss = (text: string): boolean =>
  weighted(digitsOf(text), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

export const isSingaporean = (text: string): boolean => {
  const digits = digitsOf(text);
  const first = text[0] ?? '';
  const offset = 'TG'.includes(first) ? 4 : first === 'M' ? 3 : 0;
  const rest = (weighted(digits, [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  const letters = 'ST'.includes(first)
    ? 'JZIHGFEDCBA'
    : first === 'M'
      ? 'KLJNPQRTUWX'
      : 'XWUTRQPNMLK';
  const index = first === 'M' ? 10 - rest : rest;
  return letters[index] === text.at(-1);
};

export const isAustralian = (text: string): boolean =>
  weighted(digitsOf(text), [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;

export const isCanadian = (text: string): boolean => {
  const digits = digitsOf(text);
  return isVaried(digits) && luhn(digits);
};

export const isIndian = (text: string): boolean => {
  const digits = digitsOf(text);
  return isVaried(digits) && verhoeff(digits);
};

/** `DDMMYY` at the start, without the additions to day or month of some countries. */
const startsWithDate = (digits: readonly number[], dayAdded = 0, monthAdded = 0): boolean =>
  isMonthAndDay(numberOf(digits, 2, 4) - monthAdded, numberOf(digits, 0, 2) - dayAdded);

/** `YYMMDD` at the start, with one of these numbers added to the month. */
const startsWithAddedMonth = (digits: readonly number[], added: readonly number[]): boolean =>
  added.some((more) => isMonthAndDay(numberOf(digits, 2, 4) - more, numberOf(digits, 4, 6)));

export const isArgentine = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = 11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return (rest === 11 ? 0 : rest === 10 ? 9 : rest) === digits[10];
};

export const isBulgarian = (text: string): boolean => {
  const digits = digitsOf(text);
  const check = (weighted(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10;
  return startsWithAddedMonth(digits, [0, 20, 40]) && check === digits[9];
};

/** Numbers of nine digits, until 1953, have no check digit. */
export const isCzech = (text: string): boolean => {
  const digits = digitsOf(text);
  if (!startsWithAddedMonth(digits, [0, 20, 50, 70])) return false;
  if (digits.length === 9) return numberOf(digits, 0, 2) <= 53;
  return (numberOf(digits, 0, 9) % 11) % 10 === digits[9];
};

export const isDanish = (text: string): boolean => startsWithDate(digitsOf(text));

/** Also for Lithuania. */
export const isEstonian = (text: string): boolean => {
  const digits = digitsOf(text);
  const first = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weighted(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  const hasDate = isMonthAndDay(numberOf(digits, 3, 5), numberOf(digits, 5, 7));
  return hasDate && (first === 10 ? second % 10 : first) === digits[10];
};

export const isLatvian = (text: string): boolean => {
  const digits = digitsOf(text);
  const check = (1101 - weighted(digits, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11;
  return startsWithDate(digits) && check % 10 === digits[10];
};

export const isCroatian = (text: string): boolean => mod11And10(digitsOf(text));

/** The number of the states of Yugoslavia. */
export const isYugoslav = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return startsWithDate(digits) && ((11 - rest) % 11) % 10 === digits[12];
};

export const isIrish = (text: string): boolean => {
  const second = /[A-I]$/.test(text.slice(8)) ? text.charCodeAt(8) - 64 : 0;
  const rest = (weighted(digitsOf(text), [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[rest] === text[7];
};

export const isIcelandic = (text: string): boolean => {
  const digits = digitsOf(text);
  return startsWithDate(digits) && weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
};

export const isGreek = (text: string): boolean => {
  const digits = digitsOf(text);
  return startsWithDate(digits) && luhn(digits);
};

export const isIsraeli = (text: string): boolean => {
  const digits = digitsOf(text);
  return isVaried(digits) && luhn(digits);
};

export const isUkrainian = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = (weighted(digits, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) + 11) % 11;
  return isVaried(digits) && rest % 10 === digits[9];
};

export const isSnils = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101;
  return isVaried(digits) && rest % 100 === numberOf(digits, 9);
};

export const isRussianTaxpayer = (text: string): boolean => {
  const digits = digitsOf(text);
  const first = weighted(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11;
  const second = weighted(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11;
  return first % 10 === digits[10] && second % 10 === digits[11];
};

export const isTaiwanese = (text: string): boolean => {
  const letter = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(text[0] ?? '') + 10;
  const digits = digitsOf(text);
  const sum = Math.floor(letter / 10) + (letter % 10) * 9;
  return (sum + weighted(digits, [8, 7, 6, 5, 4, 3, 2, 1, 1])) % 10 === 0;
};

export const isHongKong = (text: string): boolean => {
  const letters = /^[A-Z]{1,2}/.exec(text)?.[0].padStart(2, ' ') ?? '';
  const values = Array.from(letters, (letter) => (letter === ' ' ? 36 : letter.charCodeAt(0) - 55));
  const body = [...values, ...digitsOf(text).slice(0, 6)];
  const check = (11 - (weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return text.includes(check === 10 ? '(A' : `(${check}`);
};

export const isJapanese = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return isVaried(digits) && (rest <= 1 ? 0 : 11 - rest) === digits[11];
};

export const isThai = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return isVaried(digits) && (11 - rest) % 10 === digits[12];
};

export const isMalaysian = (text: string): boolean => startsWithYearMonth(digitsOf(text));

/** A check digit of Luhn and one of Verhoeff, each of the first eleven digits. */
export const isLuxembourgish = (text: string): boolean => {
  const digits = digitsOf(text);
  const hasDate = isMonthAndDay(numberOf(digits, 4, 6), numberOf(digits, 6, 8));
  const body = digits.slice(0, 11);
  return hasDate && luhn(digits.slice(0, 12)) && verhoeff([...body, digits[12] ?? 0]);
};

export const isEcuadorian = (text: string): boolean => {
  const digits = digitsOf(text);
  return numberOf(digits, 0, 2) <= 24 && (digits[2] ?? 9) < 6 && luhn(digits);
};

/** The number of the German pension insurance: `65 170839 J 008`. */
export const isGermanPension = (text: string): boolean => {
  const compact = text.replaceAll(' ', '');
  const letter = String(compact.charCodeAt(8) - 64).padStart(2, '0');
  const digits = digitsOf(compact.slice(0, 8) + letter + compact.slice(9));
  const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
    .map((weight, at) => weight * (digits[at] ?? 0))
    .reduce((total, product) => total + Math.floor(product / 10) + (product % 10), 0);
  const day = numberOf(digits, 2, 4) % 50;
  return isMonthAndDay(numberOf(digits, 4, 6), day) && sum % 10 === digits[12];
};

/** The fourth digit is the check digit of the others. */
export const isAustrian = (text: string): boolean => {
  const digits = digitsOf(text);
  const rest = weighted(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11;
  return isVaried(digits) && rest === digits[3];
};

/** If the first weights give ten, the second do not. */
export const isNewZealand = (text: string): boolean => {
  const digits = digitsOf(text.padStart(text.length + 9 - digitsOf(text).length, '0'));
  const [first = 10, second = 10] = [
    [3, 2, 7, 6, 5, 4, 3, 2],
    [7, 4, 3, 2, 5, 2, 7, 6],
  ].map((weights) => (11 - (weighted(digits, weights) % 11)) % 11);
  const number = numberOf(digits);
  return (
    number > 10_000_000 && number < 150_000_000 && (first === 10 ? second : first) === digits[8]
  );
};

export const isUruguayan = (text: string): boolean => {
  const digits = digitsOf(text);
  return (
    isVaried(digits) && (10 - (weighted(digits, [2, 9, 8, 7, 6, 3, 4]) % 10)) % 10 === digits[7]
  );
};
