import { type Answer, readAnswer, reasonOf } from './answer.ts';
import { PassingError } from './passing-error.ts';

export interface Question {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: HeadersInit;
  body?: Uint8Array<ArrayBuffer> | string;
  /** Timeout in milliseconds for the complete response. */
  timeout?: number;
  /** Maximum size of the response in bytes. */
  limit?: number;
}

const minute = 60_000;
export const usualLimit = 1_048_576;

/**
 * One request to a server, bounded in time and size. Throws PassingError if it cannot be reached or
 * responds 429 or 5xx, InstallerError if the response is too large. Messages contain only the host
 * of the URL: the rest may be secret.
 */
export async function ask(service: string, url: string, question: Question = {}): Promise<Answer> {
  const { timeout = minute, limit = usualLimit, ...init } = question;
  const prefix = `${service}: ${new URL(url).host}`;
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch(
    (error: Error) => {
      throw new PassingError(`${prefix} cannot be reached (${reasonOf(error)})`);
    },
  );
  return readAnswer(prefix, response.status, response.body ?? empty(), limit);
}

async function* empty(): AsyncGenerator<Uint8Array> {}
