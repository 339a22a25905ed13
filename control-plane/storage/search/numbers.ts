// The header has two doubles: a base that is added to each value, and the divisor of the sum.
const HEADER = 16;
const WIDTHS = [
  [1, Uint8Array],
  [2, Uint16Array],
  [4, Uint32Array],
] as const;
/**
 * Factors that turn numbers into integers: for whole numbers, and for costs with up to six or nine
 * decimals.
 */
const SCALES = [1, 1e6, 1e9];

/**
 * Encodes numbers losslessly. Numbers with few decimals become offsets from the smallest, all with
 * the width that the largest offset needs. Other numbers become doubles.
 */
export function packNumbers(numbers: readonly number[]): Buffer {
  for (const scale of SCALES) {
    const whole = scaled(numbers, scale);
    if (!whole) continue;
    const least = whole.reduce((a, b) => Math.min(a, b), Infinity);
    const maximum = whole.reduce((a, b) => Math.max(a, b), -Infinity);
    const Values = WIDTHS.find(([bytes]) => maximum - least < 2 ** (8 * bytes))?.[1];
    if (!Values) break;
    return packed(least, scale, new Values(whole.map((number) => number - least)));
  }
  return packed(0, 1, Float64Array.from(numbers));
}

/** Returns the numbers as integers; undefined if one would not round-trip. */
function scaled(numbers: readonly number[], scale: number): number[] | undefined {
  const whole: number[] = [];
  for (const number of numbers) {
    const rounded = Math.round(number * scale);
    if (!Number.isSafeInteger(rounded) || rounded / scale !== number) return undefined;
    whole.push(rounded);
  }
  return whole;
}

function packed(base: number, scale: number, values: ArrayBufferView<ArrayBuffer>): Buffer {
  const header = Float64Array.of(base, scale);
  return Buffer.concat([new Uint8Array(header.buffer), new Uint8Array(values.buffer)]);
}

/** Decodes the numbers with these ordinals, out of `count`. */
export function unpackNumbers(
  bytes: Uint8Array,
  { count, ordinals }: { count: number; ordinals: Int32Array },
): Float64Array {
  // A typed array must be aligned to a multiple of its width.
  const { buffer } = new Uint8Array(bytes);
  const [base = 0, scale = 1] = new Float64Array(buffer, 0, 2);
  const width = (bytes.length - HEADER) / count;
  const values = new (WIDTHS.find(([each]) => each === width)?.[1] ?? Float64Array)(buffer, HEADER);
  const numbers = new Float64Array(ordinals.length);
  for (let i = 0; i < ordinals.length; i += 1)
    numbers[i] = ((values[ordinals[i] as number] as number) + base) / scale;
  return numbers;
}
