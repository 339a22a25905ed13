/** What an agent can record. Times are milliseconds, money is USD. */
export interface LlmCall {
  model: string;
  /** All input tokens, those read from and written to a cache included. */
  tokensIn: number;
  tokensOut: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  provider?: string;
  /**
   * The provider's id of the answer. A device that captures the same call knows it by this, and the
   * call is counted once.
   */
  responseId?: string;
  /** Left out, the server computes it from its price table. */
  cost?: number;
  /** What the call was for. */
  task?: string;
  durationMs?: number;
  /** Sent only while content capture is on. */
  promptPreview?: string;
  /** Sent only while content capture is on. */
  responsePreview?: string;
  /** The managed prompt that was used: its metrics then count this call. */
  prompt?: { readonly contentHash: string };
}

export type SpanKind = 'tool' | 'retriever' | 'decision' | 'reasoning' | 'retry';

/** What every span may carry. */
export interface SpanDetails {
  status?: 'ok' | 'error';
  durationMs?: number;
  /** Orders the spans of a run; by default they keep the order in which they were recorded. */
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
  /** A number, a category, or yes and no. */
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
  /** The customer's customer, where that is not `userId`. */
  endUserId?: string;
  tags?: readonly string[];
  metadata?: Record<string, unknown>;
  inputs?: Record<string, unknown>;
  /** Correlates the run with a trace of another system. */
  traceId?: string;
}

/** What the server said when a run was completed. */
export interface Outcome {
  governanceAction: string;
  shouldRetry: boolean;
  retryFeedback: string | null;
  maxRetries: number;
}

/** Recording never throws and never waits: what is recorded is sent in the background. */
export interface Recorder {
  recordCall: (call: LlmCall) => void;
  recordCalls: (calls: readonly LlmCall[]) => void;
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
  /** The server's id; empty until the server has acknowledged the start. */
  readonly id: string;
  /** The server's id, or an empty string if it did not acknowledge the start in time. */
  ready: (options?: { timeoutMs?: number }) => Promise<string>;
  /** Makes this the current run for all that `work` does, also asynchronously. */
  within: <T>(work: () => T) => T;
  complete: (result?: unknown) => void;
  fail: (error: unknown) => void;
  /** What the server said to the completion; undefined if it did not answer in time. */
  outcome: (options?: { timeoutMs?: number }) => Promise<Outcome | undefined>;
}

export interface StartRunOptions extends RunOptions {
  /** The current run unless given; null for a run of its own. */
  parent?: Run | null;
}

export interface Stats {
  /** Records that wait or are under way, starts and completions of runs among them. */
  queued: number;
  delivered: number;
  /** Records given up: the queue was full, the server refused them, or it stayed away. */
  dropped: number;
}
