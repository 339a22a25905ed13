import type { recordingRoutes } from '#contract/recording.ts';
import type { RouteRequest } from '#contract/route.ts';
import { toStorable, toStorableRecord } from './storable.ts';
import type {
  LlmCall,
  ObservedEvent,
  TracePosition,
  RequestedTool,
  RunOptions,
  Score,
  Span,
  SpanKind,
} from './types.ts';
import {
  count,
  id,
  MAX_NAME,
  name,
  optionalCount,
  optionalText,
  spanId,
  text,
  texts,
  time,
  usd,
} from './within-limits.ts';

type Routes = typeof recordingRoutes;
export type WireRun = RouteRequest<Routes['startRun']>['body'];
type WireCall = RouteRequest<Routes['recordLlmCalls']>['body']['calls'][number];
type WireStep = RouteRequest<Routes['recordSteps']>['body']['steps'][number];
type WireSpan = RouteRequest<Routes['recordSpans']>['body']['spans'][number];
type WireScore = RouteRequest<Routes['recordScores']>['body']['scores'][number];

const MAX_TAGS = 100;
const MAX_TOKENS = 1_000_000_000;
const MAX_SCORE = 1e15;

export function wireStart(
  run: RunOptions & Pick<TracePosition, 'parentSpanId'>,
  now: number,
): WireRun {
  return {
    started_at: new Date(now).toISOString(),
    agent_name: name(run.agentName, 'default'),
    workflow_name: name(run.workflowName, 'default'),
    session_id: id(run.sessionId),
    user_id: id(run.userId),
    user_group: id(run.userGroup),
    end_user_id: id(run.endUserId),
    trace_id: id(run.traceId),
    parent_span_id: spanId(run.parentSpanId),
    tags: texts(run.tags, MAX_TAGS),
    metadata: toStorableRecord(run.metadata),
    inputs: toStorableRecord(run.inputs),
  };
}

const wireTracePosition = (place: TracePosition) => ({
  span_id: spanId(place.spanId),
  parent_span_id: spanId(place.parentSpanId),
  started_at: time(place.startedAt),
});

const MAX_TOOLS = 1000;

const wireTools = (tools: readonly RequestedTool[] | undefined) =>
  Array.isArray(tools)
    ? (tools as readonly RequestedTool[]).slice(0, MAX_TOOLS).map((tool) => ({
        id: id(tool.id),
        name: name(tool.name, 'tool'),
        arguments: toStorable(tool.arguments),
      }))
    : undefined;

export function wireCall(call: LlmCall, now: number, captureContent: boolean): WireCall {
  const hash = call.prompt?.contentHash;
  return {
    model: name(call.model, 'unknown'),
    created_at: new Date(now).toISOString(),
    tokens_in: count(call.tokensIn, MAX_TOKENS),
    tokens_out: count(call.tokensOut, MAX_TOKENS),
    cache_read_tokens: optionalCount(call.cacheReadTokens, MAX_TOKENS),
    cache_write_tokens: optionalCount(call.cacheWriteTokens, MAX_TOKENS),
    provider: id(call.provider),
    cost: usd(call.cost),
    task: id(call.task),
    response_id: optionalText(call.responseId),
    ...wireTracePosition(call),
    duration_ms: optionalCount(call.durationMs),
    reasoning_tokens: optionalCount(call.reasoningTokens, MAX_TOKENS),
    time_to_first_token_ms: optionalCount(call.timeToFirstTokenMs),
    finish_reason: id(call.finishReason),
    tool_calls: captureContent ? wireTools(call.toolCalls) : undefined,
    prompt_hash: typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) ? hash : undefined,
    prompt_preview: captureContent ? optionalText(call.promptPreview) : undefined,
    response_preview: captureContent ? optionalText(call.responsePreview) : undefined,
  };
}

export const wireStep = (stepName: string, output: unknown): WireStep => ({
  step_name: name(stepName, 'step'),
  output: toStorableRecord(output),
});

const spanKinds: readonly unknown[] = [
  'tool',
  'retriever',
  'decision',
  'reasoning',
  'retry',
] satisfies SpanKind[];

/**
 * The kind of a span. Unknown kinds become `reasoning`, like OpenTelemetry spans without a kind.
 */
const spanKind = (kind: unknown): SpanKind => {
  if (kind === 'retrieval') return 'retriever';
  return spanKinds.includes(kind) ? (kind as SpanKind) : 'reasoning';
};

export function wireSpan(item: Span): WireSpan {
  const { durationMs, position } = item;
  const kind = spanKind(item.kind);
  return {
    name: name(item.name, kind),
    kind,
    status: item.status === 'error' ? 'error' : 'ok',
    ...wireTracePosition(item),
    duration_ms: optionalCount(durationMs),
    position: Number.isSafeInteger(position) ? position : undefined,
    attributes: toStorableRecord(item.attributes),
    input_data: toStorableRecord(item.input),
    output_data: toStorableRecord(item.output),
  };
}

export function wireScore(item: Score): WireScore {
  const { value } = item;
  const common = { name: name(item.name, 'score'), comment: optionalText(item.comment) };
  if (typeof value === 'boolean') return { ...common, data_type: 'boolean', string_value: value };
  if (typeof value === 'number' && Number.isFinite(value))
    return { ...common, data_type: 'numeric', numeric_value: clampScore(value) };
  return { ...common, data_type: 'categorical', string_value: text(value, MAX_NAME) };
}

const clampScore = (value: number): number => Math.min(Math.max(value, -MAX_SCORE), MAX_SCORE);

/** Adds the time of recording to an event, which may be sent much later. */
export const wireEvent = (event: ObservedEvent, now: number): Record<string, unknown> => ({
  timestamp: new Date(now).toISOString(),
  ...toStorableRecord(event),
});

export interface Completion {
  status: 'success' | 'error';
  completed_at: string;
  result?: Record<string, unknown>;
  error?: string;
}

/** Returns the body of a run's completion: its result, or the error that ended it. */
export function wireEnd(end: { result: unknown } | { error: unknown }, now: number): Completion {
  const completed_at = new Date(now).toISOString();
  if ('result' in end)
    return { status: 'success', completed_at, result: toStorableRecord(end.result) };
  const { error } = end;
  const line = error instanceof Error ? `${error.name}: ${error.message}` : error;
  return { status: 'error', completed_at, error: text(line) };
}
