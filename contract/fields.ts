import { z } from 'zod';

/** ISO 8601 UTC on the wire, milliseconds since 1970 internally. */
export const timestamp = z
  .codec(z.iso.datetime({ offset: true }), z.int(), {
    decode: (text) => Date.parse(text),
    encode: (ms) => new Date(ms).toISOString(),
  })
  .meta({ description: 'ISO 8601 UTC timestamp' });

const EARLIEST = Date.UTC(2000, 0, 1);

/** A time in the past that a client reports. Times later than now are rejected on arrival. */
export const pastTime = timestamp.refine((ms) => ms >= EARLIEST, 'expected a time after 1999');

/** A boolean on the wire, 1 or 0 internally, so that neither database needs a conversion. */
export const flag = z.codec(z.boolean(), z.int(), {
  decode: (value) => (value ? 1 : 0),
  encode: (value) => value !== 0,
});

/** Marks list items with fields that were truncated or omitted because they exceed 10,000 bytes. */
export const truncated = (what: string) =>
  flag.meta({ description: `true: ${what}; the detail route returns it in full` });

const asText = <T>(schema: z.ZodType<T, T>) =>
  z.codec(schema, z.string(), {
    decode: (value) => JSON.stringify(value),
    encode: (text) => JSON.parse(text) as T,
  });

/** JSON of this shape on the wire, JSON text internally. */
export const jsonOf = <S extends z.ZodType>(schema: S) =>
  asText(schema as unknown as z.ZodType<z.input<S>, z.input<S>>);

/** A JSON object on the wire, JSON text internally. */
export const jsonObject = asText(z.record(z.string(), z.unknown()));

/** An array of strings on the wire, its JSON text internally. */
export const jsonStrings = asText(z.array(z.string()));

/** A path parameter with an integer id. Ids start at 1 and are exact as doubles. */
export const idParam = z
  .codec(z.string().regex(/^[1-9]\d{0,15}$/, 'expected a number'), z.int(), {
    decode: Number,
    encode: String,
  })
  .meta({ description: 'integer id' });

export const count = z.int().min(0);

/** The number of recorded calls that are not in the search index yet. */
export const searchLag = z.object({
  calls: count,
  seconds: z.number().min(0).meta({ description: 'age of the oldest of them' }),
});

/**
 * A number in a query. Only decimal digits are accepted, so that typing errors are not read as
 * numbers.
 */
export const wholeNumber = (least: 0 | 1) => {
  const error = `expected a whole number, at least ${least}`;
  return z.preprocess(
    (value: number | string) => (/^\d+$/.test(String(value)) ? Number(value) : value),
    z.int({ error }).min(least, { error }),
  );
};

/** The paging parameters. A `limit` above the maximum is lowered to the maximum. */
export const paging = {
  limit: wholeNumber(1)
    .prefault(25)
    .transform((limit) => Math.min(limit, 100)),
  offset: wholeNumber(0).prefault(0),
};

/**
 * A time in a query: ISO 8601, UTC by default. A date without a time means the start of the day.
 */
const timeParam = z
  .codec(
    z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
      error: 'expected an ISO 8601 date or timestamp',
    }),
    z.int(),
    {
      decode: (text) => Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text),
      encode: (ms) => new Date(ms).toISOString(),
    },
  )
  .optional();

/** The period `start` ≤ time < `end`, to be used with `.check(startBeforeEnd)`. */
export const range = { start: timeParam, end: timeParam };

export const startBeforeEnd = z.refine<{ start?: number | undefined; end?: number | undefined }>(
  ({ start, end }) => start === undefined || end === undefined || start <= end,
  { path: ['start'], error: 'expected a time not after `end`' },
);

/** A period that ends now and starts at a full hour. */
export const period = z.enum(['1d', '7d', '30d']);
export type Period = z.output<typeof period>;

/** A sort parameter: any of the fields, ascending, or descending with the prefix `-`. */
export const sortBy = <const F extends string>(fields: readonly F[], first: F | `-${F}`) =>
  z
    .enum(fields.flatMap((field): (F | `-${F}`)[] => [field, `-${field}`]))
    .default(first as never)
    .transform((sort) => ({
      by: sort.replace(/^-/, '') as F,
      direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
    }));

/** A page of a list. `next` and `previous` are absolute URLs. */
export const page = <S extends z.ZodType>(item: S) =>
  z.object({
    results: z.array(item),
    count,
    next: z.string().nullable(),
    previous: z.string().nullable(),
  });

/**
 * A page of a list that can grow very long. Rows are counted only up to a limit beyond the page. If
 * `count_exact` is false, there are at least `count` rows, and `next` leads to further ones.
 */
export const growingPage = <S extends z.ZodType>(item: S) =>
  page(item).extend({
    count_exact: z.boolean().meta({ description: 'false: `count` is a lower bound' }),
  });
