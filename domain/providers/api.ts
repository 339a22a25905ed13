import type { LlmExchange } from './exchange.ts';

/** One event of a stream: its name, if the format has names, and its data: parsed JSON or text. */
export interface StreamEvent {
  name: string | null;
  data: unknown;
}

export interface Call {
  host: string;
  /** The path without the query string. */
  path: string;
  /** The parsed JSON body; undefined if it is not JSON. */
  request: unknown;
}

/** The content of an exchange. Members that the API has no field for are absent. */
export type Description = Partial<Omit<LlmExchange, 'provider'>> & Pick<LlmExchange, 'operation'>;

/** An LLM API: a provider's own, or a format that several providers share. */
export interface Api {
  id: string;
  /** The provider, if the host is not in the catalog. */
  provider: string;
  path: RegExp;
  /** The only hosts of this API; absent: any host. */
  host?: RegExp;
  /** Whether the value is a request body of this API. */
  isRequest(request: unknown): boolean;
  /** Whether the value is a response of this API, or an event of a streamed response. */
  isResponse(value: unknown): boolean;
  /** The response as it would be without streaming; null for events of other APIs. */
  joinStream(events: readonly StreamEvent[]): object | null;
  /** Describes all that was exchanged, as one call. */
  describe(call: Call, response: unknown): Description;
  /** Describes each response, for APIs that have many in one exchange. */
  describeEach?(call: Call, response: unknown): Description[];
}
