import { t } from '@lingui/core/macro';
import { ResponseError } from '#contract/client.ts';

/** Describes an error in one line for the user. */
export function describeError(error: unknown): string {
  if (error instanceof ResponseError) return asSentence(error.message);
  return t`The control plane cannot be reached.`;
}

/**
 * Capitalises a message of the service, which begins in lower case, and writes the name of a field
 * at its beginning as words.
 */
export const asSentence = (message: string): string =>
  message
    .replace(/^[a-z_]{1,100}: /, (field) => field.replaceAll('_', ' '))
    .replace(/^\p{Ll}/u, (first) => first.toUpperCase());
