import { type Answer, readAnswer, reasonOf } from './answer.ts';
import { PassingError } from './passing-error.ts';

export interface Question {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: HeadersInit;
  body?: Uint8Array<ArrayBuffer> | string;
  /** Milliseconds until the whole answer must be there. */
  timeout?: number;
  /** Bytes that an answer may have at most. */
  limit?: number;
}

const minute = 60_000;
export const usualLimit = 1_048_576;

/**
 * One exchange with a server, bounded in time and size. Throws PassingError if it cannot be reached
 * or answers 429 or 5xx, InstallerError if it answers too much. Of the address only the host is in
 * a message: what follows it may be a secret.
 */
export async function ask(what: string, url: string, question: Question = {}): Promise<Answer> {
  const { timeout = minute, limit = usualLimit, ...init } = question;
  const where = `${what}: ${new URL(url).host}`;
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch(
    (error: Error) => {
      throw new PassingError(`${where} cannot be reached (${reasonOf(error)})`);
    },
  );
  return readAnswer(where, response.status, response.body ?? empty(), limit);
}

async function* empty(): AsyncGenerator<Uint8Array> {}
