import { z } from 'zod';

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A decimal number in a query; an empty text is rejected. */
const numeric = (number: z.ZodNumber | z.ZodInt) =>
  z
    .codec(z.union([z.number(), z.string()]), number, {
      decode: (value) => (DECIMAL.test(String(value)) ? Number(value) : Number.NaN),
      encode: (value) => value,
    })
    .optional();

export const decimalParam = numeric(z.number({ error: 'expected a decimal number' }));
export const wholeParam = numeric(z.int({ error: 'expected a whole number' }));

/** `?model=a&model=b` */
export const repeatable = z
  .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
    decode: (value) => (Array.isArray(value) ? value : [value]).filter((value) => value !== ''),
    encode: (values) => values,
  })
  .optional();

type Bounds<N extends string> = Partial<Record<`${'min' | 'max'}_${N}`, number | undefined>>;

/** Refuses a minimum above the maximum. */
export const inOrder = <const N extends string>(name: N) =>
  z.refine<Bounds<N>>(
    (bounds: Partial<Record<string, number | undefined>>) =>
      (bounds[`min_${name}`] ?? -Infinity) <= (bounds[`max_${name}`] ?? Infinity),
    { path: [`min_${name}`], error: `expected a number not above max_${name}` },
  );

/** Media types of an exported list, by `format`. */
export const exportTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;

/** `csv`: RFC 4180 with a header. `jsonl`: one JSON object per line. */
export const exportFormat = z.enum(['csv', 'jsonl']);
export type ListFormat = z.output<typeof exportFormat>;

export const downloads: readonly string[] = Object.values(exportTypes);

/**
 * A list that can grow very long has an index for the order of time alone. By any other field, the
 * latest rows that a filter matches are sorted, up to this number.
 */
export const MAX_SORTED = 20_000;

/** More rows are not exported at once. */
export const MAX_EXPORTED = 100_000;
