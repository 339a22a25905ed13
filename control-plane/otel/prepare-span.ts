import type { CodingAgentLevel } from '#contract/guard.ts';
import type { Pricer } from '../costs/pricer.ts';
import { recordedCost } from '../costs/recorded-cost.ts';
import type { Masker } from '../settings/masking/masker.ts';
import { contentHash } from '../prompts/content-hash.ts';
import type { NewCall, NewScore, NewSpan } from '../recording/queries.ts';
import { behaviorOf, inputOf, outputOf, promptData, responseData } from './behavior.ts';
import { reportOf } from './calls/call-reports.ts';
import { withinLevel } from './content-level.ts';
import { mapCall, type PromptReference, type MappedCall } from './map-call.ts';
import { scoresOf, type MappedScore } from './evaluation-scores.ts';
import { interpret, isBoundary, isCall, type SpanMeaning } from './span-meaning.ts';
import type { ToolCall } from './messages/chat-message.ts';
import type { Node } from './nesting.ts';
import type { OtelSpan } from './span.ts';
import { factsOf, type TraceFacts } from './trace-facts.ts';
import type { ContentRules } from './unmapped-examples.ts';

/** The tenant's settings for mapping spans. */
export interface Settings {
  price: Pricer;
  masker: Masker;
  /** Returns the content hash of a managed prompt version. */
  hashOf: (prompt: PromptReference) => string | undefined;
  content: ContentRules;
  /** The contents that the sender may report; `tools` for everything. */
  level: CodingAgentLevel;
  newId: (prefix: string) => string;
}

/** A span, ready to be stored. */
export interface PreparedSpan {
  node: Node;
  facts: TraceFacts;
  /** Undefined for spans without AI work. */
  work: Work | undefined;
  span: OtelSpan;
  /** The span with all attributes. Only the names of those that the level excludes may be stored. */
  received: OtelSpan;
  /** What may be stored of its unmapped attributes. */
  content: ContentRules;
}

interface Work {
  call: NewCall | undefined;
  /** The span to store for the trace of the run. A successful call has none: the call represents it. */
  behavior: NewSpan | undefined;
  scores: NewScore[];
  /**
   * Returns the input and output of the run, which are used if this is the root span. It is a
   * function rather than an accessor: V8 gives each object literal with an accessor its own hidden
   * class, and keeps that with the span until the next collection of the old generation.
   */
  payloadOf: () => RunPayload;
}

export interface RunPayload {
  inputs: string | null;
  result: string | null;
}

export function prepare(received: OtelSpan, settings: Settings): PreparedSpan {
  const { masker, level } = settings;
  const span = withinLevel(received, level);
  const error = span.error === null ? null : masker.mask({ error: span.error }).error;
  const masked = error === span.error ? span : { ...span, error };
  const meaning = interpret(span.attributes);
  const work = meaning && workOf(masked, meaning, settings);
  return {
    node: nodeOf(masked, nodeKindOf(meaning), work?.call),
    facts: factsOf(masked),
    work,
    span: masked,
    received,
    content: settings.content,
  };
}

function nodeKindOf(meaning: SpanMeaning | undefined): Node['kind'] {
  if (!meaning) return 'plain';
  if (isCall(meaning)) return 'call';
  return isBoundary(meaning) ? 'boundary' : 'span';
}

function nodeOf(span: OtelSpan, kind: Node['kind'], call: NewCall | undefined): Node {
  const { trace_id, span_id, parent_span_id, position } = span;
  return {
    trace_id,
    span_id,
    parent_span_id,
    kind,
    has_text: call && (call.prompt_preview || call.response_preview) ? 1 : 0,
    failed: call && span.error !== null ? 1 : 0,
    counted: 0,
    call_id: 0,
    position,
    ...reportOf(span, call),
  };
}

function workOf(span: OtelSpan, meaning: SpanMeaning, settings: Settings): Work {
  const { masker, newId } = settings;
  const call = isCall(meaning) ? mappedCallRow(mapCall(span, meaning), settings) : undefined;
  const isShown = !(call && span.error === null) && !span.client?.is_payload;
  return {
    call,
    behavior: isShown ? behaviorRow(span, meaning, masker, call) : undefined,
    scores: scoresOf(span, meaning).map((score) => scoreRow(score, masker, newId)),
    // The texts are read on demand, because that takes long and few spans hold the input or result
    // of their run.
    payloadOf: () => payloadOf(span, meaning, masker),
  };
}

function payloadOf(span: OtelSpan, meaning: SpanMeaning, masker: Masker): RunPayload {
  const { inputs, result } = masker.mask({
    inputs: span.client?.role === 'prompt' ? promptData(span) : inputOf(span, meaning),
    result: span.client?.role === 'answer' ? responseData(span) : outputOf(span, meaning),
  });
  return { inputs: jsonOrNull(inputs), result: jsonOrNull(result) };
}

function mappedCallRow(mapped: MappedCall, { price, masker, hashOf }: Settings): NewCall {
  const { prompt, created_at } = mapped;
  const { prompt_preview, response_preview, tool_calls } = masker.mask({
    prompt_preview: mapped.prompt_preview,
    response_preview: mapped.response_preview,
    tool_calls: mapped.tool_calls,
  });
  const { cost, cost_source } = recordedCost(mapped.cost, mapped, { price, at: created_at });
  // Members are listed one by one, because object rest takes longer than everything else here.
  return {
    created_at,
    duration_ms: mapped.duration_ms,
    model: mapped.model,
    provider: mapped.provider,
    task: mapped.task,
    tokens_in: mapped.tokens_in,
    tokens_out: mapped.tokens_out,
    total_tokens: mapped.total_tokens,
    cache_read_tokens: mapped.cache_read_tokens,
    cache_write_tokens: mapped.cache_write_tokens,
    reasoning_tokens: mapped.reasoning_tokens,
    span_id: mapped.span_id,
    parent_span_id: mapped.parent_span_id,
    started_at: mapped.started_at,
    time_to_first_token_ms: mapped.time_to_first_token_ms,
    finish_reason: mapped.finish_reason,
    response_id: mapped.response_id,
    cost,
    cost_source,
    prompt_hash: prompt.hash ?? hashOf(prompt) ?? (prompt_preview && contentHash(prompt_preview)),
    prompt_preview,
    response_preview,
    tool_calls: tool_calls.length > 0 ? JSON.stringify(tool_calls.map(toolCallRow)) : null,
  };
}

/** Converts a tool call to its stored form. As in the contract, a missing id is null. */
const toolCallRow = ({ id, name, arguments: input }: ToolCall) => ({
  id: id ?? null,
  name,
  arguments: input,
});

function behaviorRow(
  span: OtelSpan,
  meaning: SpanMeaning,
  masker: Masker,
  call: NewCall | undefined,
): NewSpan {
  const { attributes, input_data, output_data, ...row } = behaviorOf(span, meaning);
  const masked = masker.mask({ attributes, input_data, output_data });
  return {
    ...row,
    attributes: JSON.stringify(
      call ? { ...masked.attributes, prompt_hash: call.prompt_hash } : masked.attributes,
    ),
    input_data: jsonOrNull(masked.input_data),
    output_data: jsonOrNull(masked.output_data),
  };
}

const scoreRow = (
  { comment, string_value, ...score }: MappedScore,
  masker: Masker,
  newId: (prefix: string) => string,
): NewScore => ({
  id: newId('scr'),
  ...score,
  ...masker.mask({ comment, string_value }),
  llm_call_id: null,
  llm_call_model: null,
  metadata: null,
  author_user_id: null,
  evaluator_id: null,
});

const jsonOrNull = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value);
