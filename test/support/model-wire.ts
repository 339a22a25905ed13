import type { IncomingMessage } from 'node:http';

/** The content of a valid request. */
export interface ModelRequest {
  model: string;
  stream: boolean;
  /** The texts of all messages. */
  messageTexts: string[];
  /** The first tool of the request, which the models here always call. */
  tool?: string | undefined;
}

/** The API of one provider. */
export interface Wire {
  path: string;
  /** Lists the models; providers without it reject the request. */
  models?(): object;
  keyOf(headers: IncomingMessage['headers']): string | undefined;
  /** @throws RejectedRequest for requests that the real provider rejects */
  read(body: Record<string, unknown>, headers: IncomingMessage['headers']): ModelRequest;
  responseBody(request: ModelRequest, output: string): object;
  /** The events of a stream, each a complete server-sent event. */
  events(
    request: ModelRequest,
    pieces: string[],
  ): { start: string[]; pieces: string[]; end: string[] };
  error(status: number, message: string, more?: object): object;
  /** An error in the middle of a stream. */
  errorEvent(message: string): string;
}

/** The arguments of all tool calls by the models here. */
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
 * Models that simulate faults, by name. `both` waits for a second request. `literal` responds with
 * the JSON of the last message; an array becomes the events of a stream. `echo` repeats the last
 * message; `flaky` does so after it has rejected the same messages once. `held` responds only when
 * the test releases it.
 */
export const FAULTY_MODELS =
  'silent limited down garbled breaks drops stops stalls both literal echo flaky held'.split(' ');
