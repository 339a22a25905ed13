import { z } from 'zod';

/** ISO 8601 UTC on the wire, integer milliseconds since 1970 inside. */
export const timestamp = z
  .codec(z.iso.datetime({ offset: true }), z.int(), {
    decode: (text) => Date.parse(text),
    encode: (ms) => new Date(ms).toISOString(),
  })
  .meta({ description: 'ISO 8601 UTC timestamp' });

/** true or false on the wire, 1 or 0 inside: neither database then needs a translation. */
export const flag = z.codec(z.boolean(), z.int(), {
  decode: (value) => (value ? 1 : 0),
  encode: (value) => value !== 0,
});

const asText = <T>(schema: z.ZodType<T, T>) =>
  z.codec(schema, z.string(), {
    decode: (value) => JSON.stringify(value),
    encode: (text) => JSON.parse(text) as T,
  });

/** A JSON object on the wire, its text inside. */
export const jsonObject = asText(z.record(z.string(), z.unknown()));

/** An array of strings on the wire, its JSON text inside. */
export const jsonStrings = asText(z.array(z.string()));

/** A path parameter that holds an integer id. Ids start at 1 and stay within exact doubles. */
export const idParam = z
  .codec(z.string().regex(/^[1-9]\d{0,15}$/, 'expected a number'), z.int(), {
    decode: Number,
    encode: String,
  })
  .meta({ description: 'integer id' });

export const count = z.int().min(0);

/** `limit` above the maximum is taken as the maximum. */
export const paging = {
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .default(25)
    .transform((limit) => Math.min(limit, 100)),
  offset: z.coerce.number<number | string>().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
};

/** A page of a list. `next` and `previous` are absolute URLs. */
export const page = <S extends z.ZodType>(item: S) =>
  z.object({
    results: z.array(item),
    count,
    next: z.string().nullable(),
    previous: z.string().nullable(),
  });
