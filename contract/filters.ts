import { z } from 'zod';

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A decimal number in a query. Empty text is rejected. */
const numeric = (number: z.ZodNumber | z.ZodInt) =>
  z
    .codec(z.union([z.number(), z.string()]), number, {
      decode: (value) => (DECIMAL.test(String(value)) ? Number(value) : Number.NaN),
      encode: (value) => value,
    })
    .optional();

export const decimalParam = numeric(z.number({ error: 'expected a decimal number' }));
export const wholeParam = numeric(z.int({ error: 'expected a whole number' }));

/** A parameter that can be repeated, as in `?model=a&model=b`. */
export const repeatable = z
  .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
    decode: (value) => (Array.isArray(value) ? value : [value]).filter((value) => value !== ''),
    encode: (values) => values,
  })
  .optional();

type Bounds<N extends string> = Partial<Record<`${'min' | 'max'}_${N}`, number | undefined>>;

/** Rejects a minimum above the maximum. */
export const inOrder = <const N extends string>(name: N) =>
  z.refine<Bounds<N>>(
    (bounds: Partial<Record<string, number | undefined>>) =>
      (bounds[`min_${name}`] ?? -Infinity) <= (bounds[`max_${name}`] ?? Infinity),
    { path: [`min_${name}`], error: `expected a number not above max_${name}` },
  );

/** The media types of an exported list, by `format`. */
export const exportTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;

/** The export formats. `csv`: RFC 4180 with a header. `jsonl`: one JSON object per line. */
export const exportFormat = z.enum(['csv', 'jsonl']);
export type ListFormat = z.output<typeof exportFormat>;

export const downloads: readonly string[] = Object.values(exportTypes);

/**
 * The maximum number of rows that are sorted. A list that can grow very long only has an index for
 * the time order. For other orders, the latest rows that match the filter are sorted, up to this
 * number.
 */
export const MAX_SORTED = 20_000;

/** The maximum number of rows in one export. */
export const MAX_EXPORTED = 100_000;
