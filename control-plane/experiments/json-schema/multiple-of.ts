/**
 * Whether a number is a multiple of another in decimal notation. With floats, 0.3 is not a multiple
 * of 0.1.
 */
export function isMultiple(value: number, of: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

const STEPS_OF_NUMBERS = 10;

/**
 * Returns the number of steps of `isMultiple`, which is the number of digits between the last
 * places of both numbers.
 */
export const stepsOfMultiple = (value: number, of: number): number =>
  STEPS_OF_NUMBERS + Math.abs(decimalOf(value).exponent - decimalOf(of).exponent);

interface Decimal {
  digits: bigint;
  exponent: number;
}

function decimalOf(value: number): Decimal {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  return {
    digits: BigInt(`${sign}${whole}${fraction}`),
    exponent: Number(exponent) - fraction.length,
  };
}

const scaled = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);
