/** The digits of a text, in order. */
export function digitsOf(text: string): number[] {
  const digits: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) digits.push(digit);
  }
  return digits;
}

const ZERO = 48;

export const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/**
 * The Luhn checksum (ISO/IEC 7812-1) of an identifier: doubles every second digit from the right.
 * Card numbers are checked in place, by `credit-card.ts`.
 */
export const luhn = (digits: readonly number[]): boolean =>
  digits
    .toReversed()
    .reduce(
      (sum, digit, index) =>
        sum + (index % 2 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit),
      0,
    ) %
    10 ===
  0;

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** Multiplication in the dihedral group of order ten. */
const dihedral = (a: number, b: number): number => {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b - 5) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;
};

/** The Verhoeff checksum: permuted digits multiplied in the dihedral group. */
export function verhoeff(digits: readonly number[]): boolean {
  let check = 0;
  for (const [index, digit] of digits.toReversed().entries()) {
    let permuted = digit;
    for (let times = index % 8; times > 0; times -= 1) permuted = PERMUTATION[permuted] ?? 0;
    check = dihedral(check, permuted);
  }
  return check === 0;
}

/** The checksum of ISO/IEC 7064, MOD 11,10. */
export function mod11And10(digits: readonly number[]): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits.at(-1);
}

/** Whether the month and day exist in some year. */
export const isMonthAndDay = (month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31;
