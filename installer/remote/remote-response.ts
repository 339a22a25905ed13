import { InstallerError } from '../installer-error.ts';
import { oneLine } from '#lib/one-line.ts';
import { TransientError } from './retry.ts';

export interface RemoteResponse {
  status: number;
  body: Buffer;
}

/**
 * Reads a response, up to a limit of bytes. `prefix` is the start of all messages.
 *
 * @throws TransientError if the response breaks off or has status 429 or 5xx, InstallerError if it
 * is too large
 */
export async function readResponse(
  prefix: string,
  status: number,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<RemoteResponse> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of content) {
      length += chunk.length;
      if (length > limit)
        throw new InstallerError(`${prefix} sent a response of more than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof InstallerError) throw error;
    throw new TransientError(`${prefix} closed the connection early (${reasonOf(error as Error)})`);
  }
  if (status === 429 || status >= 500) throw new TransientError(`${prefix} answered ${status}`);
  return { status, body: Buffer.concat(chunks) };
}

/** The reason of a network error, which is its cause: `fetch failed` is not informative. */
export function reasonOf(error: Error): string {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  if (error.name === 'TimeoutError' || cause.name === 'TimeoutError') return 'timeout';
  return oneLine(cause.code ?? cause.message);
}
