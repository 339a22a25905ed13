import { ResponseError } from '#contract/client.ts';

/** One line for the reader. */
export function describeError(error: unknown): string {
  if (error instanceof ResponseError) return asSentence(error.message);
  return 'The control plane cannot be reached.';
}

/** The service begins its messages in lower case, as what follows a code. */
const asSentence = (message: string): string =>
  message.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
