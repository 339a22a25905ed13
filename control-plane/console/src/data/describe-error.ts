import { ResponseError } from '#contract/client.ts';

/** One line for the reader. */
export function describeError(error: unknown): string {
  if (error instanceof ResponseError) return error.message;
  return 'The control plane cannot be reached.';
}
