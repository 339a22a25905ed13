import type { LlmExchange } from './exchange.ts';

/** One event of a stream: its name where the format has one, and its JSON, or text that is none. */
export interface StreamEvent {
  name: string | null;
  data: unknown;
}

export interface Call {
  host: string;
  /** Without the query. */
  path: string;
  /** From its JSON; undefined where there is none. */
  request: unknown;
}

/** What an API's bodies say about an exchange; members that they have no field for are absent. */
export type Description = Partial<Omit<LlmExchange, 'provider'>> & Pick<LlmExchange, 'operation'>;

/** A request to an LLM and its answer, as one provider or many shape them. */
export interface Api {
  id: string;
  /** Whose it is on a host that the catalog does not know. */
  provider: string;
  path: RegExp;
  /** Only at these hosts; without it, at any. */
  host?: RegExp;
  /** Is this the body of a request to it? */
  asks(request: unknown): boolean;
  /** Is this an answer of it, or an event of a streamed one? */
  answers(value: unknown): boolean;
  /** What it would have answered without a stream; null for events that are not its own. */
  joinStream(events: readonly StreamEvent[]): object | null;
  describe(call: Call, response: unknown): Description;
}
