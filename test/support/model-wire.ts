import type { IncomingMessage } from 'node:http';

/** What one request asked for, once it was found to be in order. */
export interface ModelRequest {
  model: string;
  stream: boolean;
  /** The texts of all messages. */
  said: string[];
  /** The first tool of the request: the models here always call it. */
  tool?: string | undefined;
}

/** One provider's wire format. */
export interface Wire {
  path: string;
  /** The list of its models; servers without one refuse. */
  models?(): object;
  keyOf(headers: IncomingMessage['headers']): string | undefined;
  /** @throws Refused for whatever the real one refuses */
  read(body: Record<string, unknown>, headers: IncomingMessage['headers']): ModelRequest;
  answer(asked: ModelRequest, output: string): object;
  /** Each a complete server-sent event. */
  events(
    asked: ModelRequest,
    pieces: string[],
  ): { start: string[]; pieces: string[]; end: string[] };
  error(status: number, message: string, more?: object): object;
  /** An error in the middle of a stream. */
  errorEvent(message: string): string;
}

/** What the models here call every tool with. */
export const TOOL_ARGUMENTS = '{"city":"Paris","days":3}';

export class RejectedRequest extends Error {
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
 * answers with the JSON of the last message, an array as the events of a stream; `echo` answers with
 * the last message, `flaky` too if it has refused the same messages before, and `held` only once a test releases it.
 */
export const MISBEHAVING_MODELS =
  'silent limited down garbled breaks drops stops stalls both literal echo flaky held'.split(' ');
