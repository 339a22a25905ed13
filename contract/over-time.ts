import { z } from 'zod';
import { count, timestamp } from './fields.ts';

/** The maximum number of rows of a list that are counted over time. */
export const MAX_OVER_TIME = 1_000_000;

/** The number of rows of a list that match a filter, in total and over time. */
export const countsOverTime = (rows: string) =>
  z.object({
    count: count.meta({ description: `${rows} in the buckets` }),
    complete: z.boolean().meta({
      description: `false: only the latest ${MAX_OVER_TIME.toLocaleString('en')} ${rows} are counted`,
    }),
    bucket_seconds: count.meta({ description: `length of a bucket; 0 without ${rows}` }),
    buckets: z
      .array(z.object({ start: timestamp, count }))
      .meta({ description: `in order of time; those without ${rows} are omitted` }),
  });
