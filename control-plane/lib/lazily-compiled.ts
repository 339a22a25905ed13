import { z } from 'zod';

/**
 * Compiles a schema on first use. A compiled schema takes a fraction of the time, but a process
 * never uses most of them.
 */
export function lazilyCompiled<Z extends z.ZodType>(schema: Z): () => Z {
  let compiled: Z | undefined;
  return () => (compiled ??= z.compile(schema));
}
