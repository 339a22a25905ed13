import type {
  Decision,
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
  own: Record<string, unknown>,
): Span {
  const { status, durationMs, position, attributes } = details;
  return {
    kind,
    name,
    ...(status && { status }),
    ...(durationMs !== undefined && { durationMs }),
    ...(position !== undefined && { position }),
    attributes: { ...defined(own), ...attributes },
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
