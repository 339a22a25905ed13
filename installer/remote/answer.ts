import { InstallerError } from '../installer-error.ts';
import { oneLine } from './one-line.ts';
import { PassingError } from './passing-error.ts';

export interface Answer {
  status: number;
  body: Buffer;
}

/**
 * Takes an answer in, up to a limit of bytes. `where` begins every message. Throws PassingError if
 * it breaks off or says 429 or 5xx, InstallerError if there is too much of it.
 */
export async function readAnswer(
  where: string,
  status: number,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of content) {
      length += chunk.length;
      if (length > limit) throw new InstallerError(`${where} answered more than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof InstallerError) throw error;
    throw new PassingError(`${where} broke off (${reasonOf(error as Error)})`);
  }
  if (status === 429 || status >= 500) throw new PassingError(`${where} answered ${status}`);
  return { status, body: Buffer.concat(chunks) };
}

/** What an error of the network is about. `fetch failed` says nothing; its cause does. */
export function reasonOf(error: Error): string {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  if (error.name === 'TimeoutError' || cause.name === 'TimeoutError') return 'it took too long';
  return oneLine(cause.code ?? cause.message);
}
