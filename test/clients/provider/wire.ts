import type { IncomingHttpHeaders } from 'node:http';

/** The content of a valid request. */
export interface Question {
  model: string;
  isStream: boolean;
  /** OpenAI's chat completions report the usage of a stream only on request. */
  wantsUsage?: boolean;
  /** The texts of all messages, in order. */
  texts: string[];
  /** The names of the tools that the model may call. */
  tools: string[];
  /** Whether the messages contain a tool result. */
  hasToolResult: boolean;
}

export interface Usage {
  /** All input tokens, including cache reads and writes. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  /** All output tokens, including reasoning. */
  output: number;
  reasoning: number;
}

export interface ToolRequest {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Reply {
  /** A unique number for the ids. */
  number: number;
  text: string;
  tool?: ToolRequest;
  usage: Usage;
}

/** The API of one provider. */
export interface Wire {
  paths: RegExp;
  /** Returns the API key of a request; the body is needed if the key signs it. */
  keyOf: (headers: IncomingHttpHeaders, url: URL, body: string) => string | undefined;
  /** @throws RefusedRequest for requests that the real provider rejects */
  read: (path: string, body: unknown) => Question;
  /** The name of the model in the responses of the provider. */
  modelOf: (model: string) => string;
  answer: (question: Question, reply: Reply) => object;
  events: (question: Question, reply: Reply) => string[];
  error: (status: number, message: string) => object;
  errorHeaders?: (status: number) => Record<string, string>;
  /** The status for an invalid key; default: 401. */
  unauthorized?: number;
}

export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** An id of the same length as those of the providers. */
export const idOf = (prefix: string, { number }: Reply): string =>
  `${prefix}${String(number).padStart(24, '0')}`;

/** Splits a text into the parts of a stream. */
export const piecesOf = (text: string): string[] => text.match(/.{1,9}/gsu) ?? [];

/** The texts of a content, which is a text or a list of parts with texts. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part !== 'object' || part === null) return [];
    const { text, content: inner } = part as { text?: unknown; content?: unknown };
    return typeof text === 'string' ? [text] : textsOf(inner);
  });
}
