/** Called with one line for each search that fails. Failures of one cause have the same line. */
export type OnSearchFailure = (line: string) => void;

/**
 * Returns the line about a failed search. The message of a system's error names the file or the
 * process, which differ from search to search, so only its code is used.
 */
export function describeSearchFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `the search for the process of a connection failed: ${code ?? message ?? String(error)}`;
}

/** The cause if the process may exist, but this agent is not allowed to see it. */
export const NOT_VISIBLE =
  'it is not among the processes that this agent may see without root rights';
