import { z } from 'zod';

/** What every entry of the catalog says of itself. */
export const base = {
  id: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1).max(200),
  vendor: z.string().min(1),
  /** The public page that the ids, paths and package names are from. */
  source: z.url({ protocol: /^https$/ }),
};
