import { errorText } from './call-in-span.ts';
import type {
  Decision,
  FailedCall,
  Reasoning,
  Retrieval,
  Retry,
  Span,
  SpanDetails,
  ToolCall,
} from './types.ts';

/** Omits undefined fields, which would be stored as null. */
const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function span(
  kind: Span['kind'],
  name: string,
  details: SpanDetails,
  ownAttributes: Record<string, unknown>,
): Span {
  const { status, durationMs, position, attributes, spanId, parentSpanId, startedAt } = details;
  return {
    kind,
    name,
    ...(status && { status }),
    ...(durationMs !== undefined && { durationMs }),
    ...(position !== undefined && { position }),
    ...(spanId !== undefined && { spanId }),
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(startedAt !== undefined && { startedAt }),
    attributes: { ...defined(ownAttributes), ...attributes },
  };
}

export const toolSpan = (tool: ToolCall): Span => ({
  ...span('tool', tool.name, tool, { tool_type: tool.toolType }),
  input: tool.input,
  output: tool.output,
});

export const retrievalSpan = (retrieval: Retrieval): Span =>
  span('retriever', retrieval.name ?? 'retrieval', retrieval, {
    query: retrieval.query,
    documents: retrieval.documents,
    source: retrieval.source,
    top_k: retrieval.topK,
  });

export const decisionSpan = (decision: Decision): Span =>
  span('decision', decision.name ?? 'decision', decision, {
    options: decision.options,
    chosen: decision.chosen,
    reasoning: decision.reasoning,
    confidence: decision.confidence,
  });

export const reasoningSpan = (reasoning: Reasoning): Span =>
  span('reasoning', reasoning.name ?? 'reasoning', reasoning, {
    step: reasoning.step,
    thought: reasoning.thought,
    evidence: reasoning.evidence,
    conclusion: reasoning.conclusion,
  });

export const retrySpan = (retry: Retry): Span =>
  span('retry', retry.name ?? 'retry', retry, {
    attempt: retry.attempt,
    reason: retry.reason,
    strategy: retry.strategy,
    original_error: retry.originalError,
    fallback_to: retry.fallbackTo,
    max_attempts: retry.maxAttempts,
  });

/**
 * Creates a span for a failed call. A call without a response has no tokens and no cost, so it is
 * not an LLM call.
 */
export const failedCallSpan = (call: FailedCall, error: unknown, captureContent: boolean): Span => {
  const { model, provider, task, promptPreview, ...place } = call;
  return {
    ...span(
      'reasoning',
      `${task ?? 'call'} ${model}`,
      { ...place, status: 'error' },
      {
        model,
        provider,
        error: errorText(error),
      },
    ),
    ...(captureContent && promptPreview && { input: { prompt_preview: promptPreview } }),
  };
};
