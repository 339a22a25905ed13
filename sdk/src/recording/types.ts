/** Milliseconds since 1970, a date, or ISO 8601. */
export type Time = number | Date | string;

/** The position of a record in the tree of its run. */
export interface TracePosition {
  /**
   * The id of the span, at most 64 characters. Only needed for recording children of this record.
   */
  spanId?: string;
  /** Default: the current span. */
  parentSpanId?: string;
  /** Default: now minus the duration of the record. */
  startedAt?: Time;
}

/** A tool requested by a response. */
export interface RequestedTool {
  id?: string;
  name: string;
  arguments?: unknown;
}

/** An LLM call. Durations are in milliseconds, costs in USD. */
export interface LlmCall extends TracePosition {
  model: string;
  /** All input tokens, including those read from and written to a cache. */
  tokensIn: number;
  tokensOut: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  provider?: string;
  /**
   * The provider's id of the response. It identifies the call if a device captures it too, so that
   * it is counted once.
   */
  responseId?: string;
  /** Default: computed by the server from its price table. */
  cost?: number;
  /** The purpose of the call. */
  task?: string;
  durationMs?: number;
  /** The output tokens that are reasoning. They are included in `tokensOut`. */
  reasoningTokens?: number;
  timeToFirstTokenMs?: number;
  /** The reason for the end of the response, in the provider's terms. */
  finishReason?: string;
  /** Sent only while content capture is on. */
  toolCalls?: readonly RequestedTool[];
  /** Sent only while content capture is on. */
  promptPreview?: string;
  /** Sent only while content capture is on. */
  responsePreview?: string;
  /** The managed prompt of the call, whose metrics include the call. */
  prompt?: { readonly contentHash: string };
}

/** A call that the provider rejected, or that had no response. */
export type FailedCall = Pick<
  LlmCall,
  'model' | 'provider' | 'task' | 'durationMs' | 'promptPreview'
> &
  TracePosition;

export type SpanKind = 'tool' | 'retriever' | 'decision' | 'reasoning' | 'retry';

/** Common fields of all spans. */
export interface SpanDetails extends TracePosition {
  status?: 'ok' | 'error';
  durationMs?: number;
  /** Determines the order of spans in a run. Default: the order of recording. */
  position?: number;
  attributes?: Record<string, unknown>;
}

export interface Span extends SpanDetails {
  name: string;
  kind: SpanKind;
  input?: unknown;
  output?: unknown;
}

export interface ToolCall extends SpanDetails {
  name: string;
  input?: unknown;
  output?: unknown;
  toolType?: 'function' | 'api' | 'database' | 'mcp' | (string & {});
}

export interface Retrieval extends SpanDetails {
  name?: string;
  query: string;
  documents?: readonly unknown[];
  source?: string;
  topK?: number;
}

export interface Decision extends SpanDetails {
  name?: string;
  options: readonly unknown[];
  chosen: unknown;
  reasoning?: string;
  /** 0 to 1. */
  confidence?: number;
}

export interface Reasoning extends SpanDetails {
  name?: string;
  step?: number | string;
  thought: string;
  evidence?: unknown;
  conclusion?: string;
}

export interface Retry extends SpanDetails {
  name?: string;
  attempt: number;
  reason?: string;
  strategy?: string;
  originalError?: unknown;
  fallbackTo?: string;
  maxAttempts?: number;
}

export interface Score {
  name: string;
  /** A number, a category or a boolean. */
  value: number | string | boolean;
  comment?: string;
}

/** A free-form record for governance and audit. */
export interface ObservedEvent {
  event_type?: string;
  [field: string]: unknown;
}

export interface RunOptions {
  agentName?: string;
  workflowName?: string;
  /** Groups the turns of one conversation. */
  sessionId?: string;
  userId?: string;
  userGroup?: string;
  /** The customer's customer. Default: `userId`. */
  endUserId?: string;
  tags?: readonly string[];
  metadata?: Record<string, unknown>;
  inputs?: Record<string, unknown>;
  /** The id of a trace in another system. Default: that of the parent run, or a new one. */
  traceId?: string;
  /**
   * W3C Trace Context of the request that the run serves. Its trace id is used unless `traceId` is
   * set.
   */
  traceparent?: string;
}

/** The server's response to the completion of a run. */
export interface Outcome {
  governanceAction: string;
  shouldRetry: boolean;
  retryFeedback: string | null;
  maxRetries: number;
}

/** The options of a span. */
export interface SpanOptions {
  /** Default: `reasoning`. */
  kind?: SpanKind;
  /** Default: the current span. */
  parentSpanId?: string;
  attributes?: Record<string, unknown>;
  input?: unknown;
}

/** A span whose work has not ended. */
export interface OpenSpan {
  readonly id: string;
  /**
   * The W3C Trace Context for requests to other services. Empty if the trace id of the run does not
   * conform to W3C.
   */
  readonly traceparent: string;
  /** Sets fields that are sent when the work ends. Attributes are added to the existing ones. */
  set: (details: {
    output?: unknown;
    attributes?: Record<string, unknown>;
    status?: 'ok' | 'error';
  }) => void;
}

/** Recording never throws or blocks: records are sent in the background. */
export interface Recorder {
  /**
   * Calls `work` inside a span, and returns or throws its result. Records of `work`, also after an
   * `await`, become children of the span.
   */
  span: <T>(name: string, work: (span: OpenSpan) => T, options?: SpanOptions) => T;
  recordCall: (call: LlmCall) => void;
  recordCalls: (calls: readonly LlmCall[]) => void;
  /**
   * Records a span with the status `error`, because a call without a response has no tokens and no
   * cost.
   */
  recordFailedCall: (call: FailedCall, error: unknown) => void;
  recordStep: (name: string, output?: unknown) => void;
  recordSpan: (span: Span) => void;
  recordTool: (tool: ToolCall) => void;
  recordRetrieval: (retrieval: Retrieval) => void;
  recordDecision: (decision: Decision) => void;
  recordReasoning: (reasoning: Reasoning) => void;
  recordRetry: (retry: Retry) => void;
  recordScore: (score: Score) => void;
  recordEvent: (event: ObservedEvent) => void;
}

export interface Run extends Recorder {
  /** The id on the server. Empty until the server has acknowledged the start. */
  readonly id: string;
  /** The page of the run in the console. Empty as long as `id` is empty. */
  readonly url: string;
  readonly traceId: string;
  /**
   * The id of the current span of this run. Undefined outside any span, and on runtimes without a
   * current run.
   */
  readonly currentSpanId: string | undefined;
  /**
   * The W3C Trace Context for requests to other services, from the current span of the run. Empty
   * if its trace id does not conform to W3C.
   */
  readonly traceparent: string;
  /** Resolves to the id, or to an empty string on timeout. */
  ready: (options?: { timeoutMs?: number }) => Promise<string>;
  /** Makes this the current run inside `work`, including asynchronous code. */
  within: <T>(work: () => T) => T;
  complete: (result?: unknown) => void;
  fail: (error: unknown) => void;
  /** Resolves to the server's response to the completion, or to undefined on timeout. */
  outcome: (options?: { timeoutMs?: number }) => Promise<Outcome | undefined>;
}

export interface StartRunOptions extends RunOptions {
  /** The parent run. Default: the current run. Null starts a run without a parent. */
  parent?: Run | null;
}

export interface Stats {
  /** Records that are queued or in flight, including the starts and completions of runs. */
  queued: number;
  delivered: number;
  /** Dropped records: the queue was full, the server rejected them, or it stayed unavailable. */
  dropped: number;
}
