// Before the values: what is added to each of them, and what the sum is then divided by.
const HEADER = 16;
const WIDTHS = [
  [1, Uint8Array],
  [2, Uint16Array],
  [4, Uint32Array],
] as const;
/** Whole numbers; then costs, which have up to so many decimals. */
const SCALES = [1, 1e6, 1e9];

/**
 * Numbers as bytes: as their distance from the smallest, in as few bytes each as hold the largest
 * distance, where all have few decimals; as doubles where not. They come back exactly.
 */
export function packNumbers(numbers: readonly number[]): Buffer {
  for (const scale of SCALES) {
    const whole = scaled(numbers, scale);
    if (!whole) continue;
    const least = whole.reduce((a, b) => Math.min(a, b), Infinity);
    const most = whole.reduce((a, b) => Math.max(a, b), -Infinity);
    const Values = WIDTHS.find(([bytes]) => most - least < 2 ** (8 * bytes))?.[1];
    if (!Values) break;
    return packed(least, scale, new Values(whole.map((number) => number - least)));
  }
  return packed(0, 1, Float64Array.from(numbers));
}

/** Undefined when a number would not come back as it is. */
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

/** The numbers at these places, of so many. */
export function unpackNumbers(
  bytes: Uint8Array,
  { count, places }: { count: number; places: Int32Array },
): Float64Array {
  // A typed array has to begin at a multiple of its width.
  const { buffer } = new Uint8Array(bytes);
  const [base = 0, scale = 1] = new Float64Array(buffer, 0, 2);
  const width = (bytes.length - HEADER) / count;
  const values = new (WIDTHS.find(([each]) => each === width)?.[1] ?? Float64Array)(buffer, HEADER);
  const numbers = new Float64Array(places.length);
  for (let i = 0; i < places.length; i += 1)
    numbers[i] = ((values[places[i] as number] as number) + base) / scale;
  return numbers;
}
