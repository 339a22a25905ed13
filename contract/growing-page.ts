import { z } from 'zod';
import { page } from './fields.ts';

/**
 * A page of a list that can grow very long. Rows are counted only up to a limit beyond the page: if
 * `count_exact` is false, there are at least `count`, and `next` leads on.
 */
export const growingPage = <S extends z.ZodType>(item: S) =>
  page(item).extend({
    count_exact: z.boolean().meta({ description: 'false: `count` is a lower bound' }),
  });
