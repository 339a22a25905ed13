import { z } from 'zod';

/**
 * Key-value pairs. Values are validated one by one when they are read, so that an invalid value
 * does not reject the others.
 */
export const attributes = z
  .array(z.object({ key: z.string(), value: z.unknown().optional() }))
  .nullish()
  .meta({ description: 'OTLP key-value pairs' });

/** Nanoseconds. OTLP's JSON has 64-bit numbers as text; numbers are accepted too. */
export const nanoseconds = z
  .union([z.string().regex(/^\d{1,20}$/, 'expected nanoseconds since 1970'), z.number().min(0)])
  .nullish();

export const scope = z
  .object({ name: z.string().nullish(), version: z.string().nullish() })
  .nullish();

export const resource = z.object({ attributes }).nullish();
