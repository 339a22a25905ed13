/** The range of the first four digits, and the minimum and maximum number of digits. */
const networks: readonly (readonly [from: number, to: number, least: number, most: number])[] = [
  [4000, 4999, 13, 13], // Visa
  [4000, 4999, 16, 16],
  [4000, 4999, 19, 19],
  [5100, 5599, 16, 16], // Mastercard
  [2221, 2720, 16, 16],
  [3400, 3499, 15, 15], // American Express
  [3700, 3799, 15, 15],
  [6011, 6011, 16, 19], // Discover
  [6440, 6599, 16, 19],
  [3528, 3589, 16, 19], // JCB
  [3000, 3059, 14, 19], // Diners Club
  [3600, 3699, 14, 19],
  [3800, 3999, 14, 19],
  [6200, 6299, 16, 19], // UnionPay
];

/**
 * Whether the digits from `start` to `end` (exclusive), separators skipped, have a network's prefix
 * and length and a valid check digit. The first four digits must be adjacent.
 */
export function isCardNumber(text: string, start: number, end: number): boolean {
  const digits = checkedDigits(text, start, end);
  if (digits === 0) return false;
  const first = Number(text.slice(start, start + 4));
  return networks.some(
    ([from, to, least, most]) => first >= from && first <= to && digits >= least && digits <= most,
  );
}

/** The number of digits if their Luhn checksum is valid, else 0. */
function checkedDigits(text: string, start: number, end: number): number {
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
