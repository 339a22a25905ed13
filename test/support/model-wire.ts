import type { IncomingMessage } from 'node:http';

/** What one request asked for, once it was found to be in order. */
export interface Asked {
  model: string;
  stream: boolean;
  /** The texts of all messages. */
  said: string[];
}

/** One provider's wire format. */
export interface Wire {
  path: string;
  keyOf(headers: IncomingMessage['headers']): string | undefined;
  /** @throws Refused for whatever the real one refuses */
  read(body: Record<string, unknown>, headers: IncomingMessage['headers']): Asked;
  answer(asked: Asked, output: string): object;
  /** Each a complete server-sent event. */
  events(asked: Asked, pieces: string[]): { start: string[]; pieces: string[]; end: string[] };
  error(status: number, message: string, more?: object): object;
  /** An error in the middle of a stream. */
  errorEvent(message: string): string;
}

export class Refused extends Error {
  readonly status: number;
  readonly more: object;

  constructor(status: number, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

/**
 * Models of these names show what providers do on bad days; `both` waits for another, and `literal`
 * answers the JSON that it is told, an array as the events of a stream.
 */
export const MISBEHAVING =
  'silent limited down garbled breaks drops stops stalls both literal'.split(' ');
