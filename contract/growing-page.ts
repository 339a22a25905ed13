import { z } from 'zod';
import { page } from './fields.ts';

/**
 * A page of a list that grows without end. Its rows are counted a bounded way beyond the page:
 * where `count_exact` is false there are at least `count`, and `next` leads on.
 */
export const growingPage = <S extends z.ZodType>(item: S) =>
  page(item).extend({
    count_exact: z.boolean().meta({ description: 'false: there are at least so many' }),
  });
