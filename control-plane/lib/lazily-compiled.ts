import { z } from 'zod';

/**
 * Compiled schemas take a fraction of the time; compiled on first use, because a process never uses
 * most of them.
 */
export function lazilyCompiled<Z extends z.ZodType>(schema: Z): () => Z {
  let compiled: Z | undefined;
  return () => (compiled ??= z.compile(schema));
}
