import type { Tables } from '../storage/tables.ts';
import type { Attributes, Json } from './attributes.ts';
import { isContent } from './content-names.ts';
import { fieldOf, parsed, textOf } from './field.ts';
import { isCall, type SpanMeaning } from './span-meaning.ts';
import { type Message, preview, shortened } from './messages/chat-message.ts';
import { promptOf } from './messages/prompt.ts';
import { isObject } from './messages/read-message.ts';
import { responseOf } from './messages/response.ts';
import { unflatten } from './messages/unflatten.ts';
import type { OtelSpan } from './span.ts';

type Kind = Tables['spans']['kind'];
type Data = { [key: string]: Json } | null;

/**
 * The stored kinds of spans, which the API returns. Most general is `reasoning`: any work of an agent
 * between its calls, tools and decisions.
 */
const storedKinds: Record<SpanMeaning, Kind> = {
  inference: 'reasoning',
  embedding: 'reasoning',
  tool: 'tool',
  retriever: 'retriever',
  decision: 'decision',
  evaluator: 'decision',
  agent: 'reasoning',
  step: 'reasoning',
};

/** Returns the behavior span of a run for any span that is not counted as an LLM call. */
export function behaviorOf(span: OtelSpan, meaning: SpanMeaning) {
  return {
    created_at: span.ended_at,
    name: (meaning === 'tool' && textOf(span.attributes, 'tool')) || span.name,
    kind: storedKinds[meaning],
    status: span.error === null ? ('ok' as const) : ('error' as const),
    duration_ms: span.ended_at - span.started_at,
    position: span.position,
    attributes: factsOf(span),
    input_data: inputOf(span, meaning),
    output_data: outputOf(span, meaning),
    span_id: span.span_id,
    parent_span_id: span.parent_span_id,
    started_at: span.started_at,
  };
}

/**
 * Returns the attributes without the texts, which go to input and output, plus the span's place in
 * the trace.
 */
function factsOf(span: OtelSpan): Record<string, Json> {
  const { span_id, parent_span_id, scope, error, attributes } = span;
  const rest = Object.entries(attributes).filter(([name]) => !isContent(name));
  const top_k = fieldOf(attributes, 'topK');
  const source = fieldOf(attributes, 'source');
  const tool_type = fieldOf(attributes, 'toolType');
  return {
    ...Object.fromEntries(rest),
    ...(top_k !== undefined && { top_k }),
    ...(source !== undefined && { source }),
    ...(tool_type !== undefined && { tool_type }),
    ...(error !== null && { error }),
    span_id,
    ...(parent_span_id !== null && { parent_span_id }),
    ...(scope.name !== '' && { instrumentation: scope.name }),
  };
}

/** Returns the input of a span as an object. */
export function inputOf(span: OtelSpan, meaning: SpanMeaning): Data {
  const { attributes } = span;
  if (isCall(meaning)) return textData('prompt_preview', preview(promptOf(span), 'user'));
  const query = meaning === 'retriever' ? fieldOf(attributes, 'query') : undefined;
  if (query !== undefined) return { query };
  const toolInput = meaning === 'tool' ? fieldOf(attributes, 'toolInput') : undefined;
  const input = toolInput ?? fieldOf(attributes, 'input');
  return input === undefined ? messageData(promptOf(span)) : dataOf(input);
}

/** Returns the output of a span as an object. */
export function outputOf(span: OtelSpan, meaning: SpanMeaning): Data {
  const { attributes } = span;
  if (isCall(meaning)) return textData('response_preview', preview(responseOf(span), 'assistant'));
  const documents = meaning === 'retriever' ? documentsOf(attributes) : undefined;
  if (documents !== undefined) return { documents };
  const toolOutput = meaning === 'tool' ? fieldOf(attributes, 'toolOutput') : undefined;
  const output = toolOutput ?? fieldOf(attributes, 'output');
  return output === undefined ? messageData(responseOf(span)) : dataOf(output);
}

/** Returns the prompt that a user gave to a client. */
export function promptData({ attributes }: OtelSpan): Data {
  const prompt = attributes['input.value'];
  return typeof prompt === 'string' && prompt !== '' ? { prompt: shortened(prompt) } : null;
}

/** Returns the answer of a client. */
export const responseData = (span: OtelSpan): Data =>
  textData('response', preview(responseOf(span), 'assistant'));

const textData = (name: string, text: string): Data => (text === '' ? null : { [name]: text });

const messageData = (messages: readonly Message[]): Data =>
  messages.length === 0 ? null : { messages: messages as unknown as Json };

function documentsOf(attributes: Attributes): Json | undefined {
  const documents = parsed(fieldOf(attributes, 'documents'));
  if (documents !== undefined) return documents;
  for (const prefix of ['retrieval.documents', 'reranker.output_documents']) {
    const list = unflatten(attributes, prefix).map((item) =>
      isObject(item) && isObject(item.document) ? item.document : item,
    );
    if (list.length > 0) return list;
  }
  return undefined;
}

function dataOf(value: Json | undefined): Data {
  const json = parsed(value);
  if (json === undefined || json === null) return null;
  return isObject(json) ? json : { value: json };
}
