import { responseIdOf } from '../recording/response-id.ts';
import { fieldOf, textOf, wholeNumberOf } from './field.ts';
import { providerOf, modelOf } from './model-of-call.ts';
import type { SpanMeaning } from './span-meaning.ts';
import { preview } from './messages/chat-message.ts';
import { promptOf } from './messages/prompt.ts';
import { responseOf } from './messages/response.ts';
import { finishReasonOf, timeToFirstTokenOf } from './response-facts.ts';
import type { OtelSpan } from './span.ts';
import { costOf, reasoningTokensOf, usageOf } from './usage.ts';

const MAX_ID_LENGTH = 10_000;

export type MappedCall = ReturnType<typeof mapCall>;

/** Maps a span to an LLM call. The cost is null unless the span states it. */
export function mapCall(span: OtelSpan, meaning: SpanMeaning) {
  const { attributes } = span;
  const response = responseOf(span);
  const usage = usageOf(span);
  const model = modelOf(attributes) ?? 'unknown';
  // Members are listed one by one, because a spread in the middle makes a slow object of many
  // members.
  return {
    created_at: span.ended_at,
    duration_ms: span.ended_at - span.started_at,
    model,
    provider: providerOf(span, model),
    task: span.client?.task ?? textOf(attributes, 'promptName') ?? taskOf(span, meaning),
    tokens_in: usage.tokens_in,
    tokens_out: usage.tokens_out,
    total_tokens: usage.total_tokens,
    cache_read_tokens: usage.cache_read_tokens,
    cache_write_tokens: usage.cache_write_tokens,
    reasoning_tokens: reasoningTokensOf(attributes),
    cost: costOf(attributes),
    prompt: promptReferenceOf(span),
    prompt_preview: preview(promptOf(span), 'user'),
    response_preview: preview(response, 'assistant'),
    span_id: span.span_id,
    parent_span_id: span.parent_span_id,
    started_at: span.started_at,
    time_to_first_token_ms: timeToFirstTokenOf(span),
    finish_reason: finishReasonOf(span),
    tool_calls: response.flatMap((message) => message.tool_calls ?? []),
    response_id: responseIdOf(textOf(attributes, 'responseId', MAX_ID_LENGTH)),
  };
}

function taskOf({ attributes }: OtelSpan, meaning: SpanMeaning): string {
  const operation = attributes['gen_ai.operation.name'];
  if (typeof operation === 'string' && operation !== '') return operation.slice(0, 200);
  return meaning === 'embedding' ? 'embeddings' : 'chat';
}

/** The managed prompt that a call refers to. */
export interface PromptReference {
  hash?: string;
  name?: string;
  version?: number;
}

export function promptReferenceOf({ attributes }: OtelSpan): PromptReference {
  const hash = fieldOf(attributes, 'promptHash');
  const name = textOf(attributes, 'promptName');
  const version = wholeNumberOf(attributes, 'promptVersion');
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) return { hash };
  return name !== undefined && version !== undefined ? { name, version } : {};
}
