import type { IncomingHttpHeaders } from 'node:http';

/** What one request asks a stand-in model for, once it is in order. */
export interface Question {
  model: string;
  isStream: boolean;
  /** OpenAI's chat completions report the usage of a stream only on request. */
  wantsUsage?: boolean;
  /** The texts of all messages, in order. */
  texts: string[];
  /** The names of the tools that the model may call. */
  tools: string[];
  /** Is the result of a tool among the messages? */
  hasToolResult: boolean;
}

export interface Usage {
  /** Everything that was read, with what came from the cache and what was written to it. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  /** Everything that was written, with the reasoning. */
  output: number;
  reasoning: number;
}

export interface ToolRequest {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Reply {
  /** A number of its own, for the ids. */
  number: number;
  text: string;
  tool?: ToolRequest;
  usage: Usage;
}

/** One provider's API. */
export interface Wire {
  paths: RegExp;
  /** The key of a request, with its body where the key signs it. */
  keyOf: (headers: IncomingHttpHeaders, url: URL, body: string) => string | undefined;
  /** @throws RefusedRequest if the real one would refuse the request */
  read: (path: string, body: unknown) => Question;
  /** The model as the provider names it in its answers. */
  modelOf: (model: string) => string;
  answer: (question: Question, reply: Reply) => object;
  events: (question: Question, reply: Reply) => string[];
  error: (status: number, message: string) => object;
  errorHeaders?: (status: number) => Record<string, string>;
  /** The status for a wrong key, unless it is 401. */
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

/** As long as those of the providers. */
export const idOf = (prefix: string, { number }: Reply): string =>
  `${prefix}${String(number).padStart(24, '0')}`;

/** A text in the pieces of a stream. */
export const piecesOf = (text: string): string[] => text.match(/.{1,9}/gsu) ?? [];

/** The texts of a content that is a text, or a list of parts with texts. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part !== 'object' || part === null) return [];
    const { text, content: inner } = part as { text?: unknown; content?: unknown };
    return typeof text === 'string' ? [text] : textsOf(inner);
  });
}
