import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { storable } from '../otel/attributes.ts';

export const INTERNAL_ERROR = 'internal error: see the log';

/**
 * Returns why an item or an evaluator failed. Only the message of an `ApiError` is meant for users.
 */
export function errorText({ log }: Pick<Context, 'log'>, error: unknown): string {
  if (error instanceof ApiError) return storable(error.message);
  log.error({ err: error }, 'an experiment item failed');
  return INTERNAL_ERROR;
}
