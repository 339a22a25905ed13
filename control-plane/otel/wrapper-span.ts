import type { NewCall, NewSpan } from '../recording/queries.ts';
import type { Node } from './nesting.ts';

type Texts = Pick<NewCall, 'prompt_preview' | 'response_preview' | 'prompt_hash'>;
type ResponseFacts = Pick<NewCall, 'finish_reason' | 'time_to_first_token_ms' | 'tool_calls'>;

/** What a call within another one takes from it. */
export type Content = Texts & ResponseFacts;

/**
 * Converts a call with a nested call to a behavior span. It uses only the stored call, because the
 * inner call may arrive later than the outer one.
 */
export function wrapperSpan(call: NewCall, node: Node): NewSpan {
  const { prompt_preview, response_preview, prompt_hash } = node.has_text ? call : NO_TEXTS;
  const { finish_reason, time_to_first_token_ms, tool_calls } = node.has_text ? call : NO_FACTS;
  return {
    created_at: call.created_at,
    name: `${call.task ?? 'call'} ${call.model}`.slice(0, 200).toWellFormed(),
    kind: 'reasoning',
    status: 'ok',
    duration_ms: call.duration_ms ?? null,
    position: node.position,
    attributes: JSON.stringify({
      model: call.model,
      provider: call.provider,
      prompt_hash,
      ...(finish_reason && { finish_reason }),
      ...(typeof time_to_first_token_ms === 'number' && { time_to_first_token_ms }),
      span_id: node.span_id,
      ...(node.parent_span_id !== null && { parent_span_id: node.parent_span_id }),
    }),
    input_data: prompt_preview ? JSON.stringify({ prompt_preview }) : null,
    output_data: outputOf(response_preview, tool_calls),
    span_id: node.span_id,
    parent_span_id: node.parent_span_id,
    started_at: call.started_at ?? call.created_at - (call.duration_ms ?? 0),
  };
}

const NO_TEXTS: Texts = { prompt_preview: '', response_preview: '', prompt_hash: '' };
const NO_FACTS = { finish_reason: null, time_to_first_token_ms: null, tool_calls: null };

function outputOf(response_preview: string, tool_calls: string | null | undefined): string | null {
  if (!response_preview) return null;
  return JSON.stringify({
    response_preview,
    ...(tool_calls && { tool_calls: JSON.parse(tool_calls) as unknown }),
  });
}

/**
 * Reads the content of a call from its behavior span, which was created by `wrapperSpan` or from a
 * failed call.
 */
export function contentOfSpan(
  row: Pick<NewSpan, 'attributes' | 'input_data' | 'output_data'>,
  { failed }: Pick<Node, 'failed'>,
): Content & { span_id: string } {
  const read = <T>(text: string | null | undefined) => JSON.parse(text ?? '{}') as Partial<T>;
  const attributes = read<Content & { span_id: string }>(row.attributes);
  const { prompt_preview = '' } = read<Texts>(row.input_data);
  const { response_preview = '', tool_calls } = read<Texts & { tool_calls: unknown }>(
    row.output_data,
  );
  const { prompt_hash = '', span_id = '' } = attributes;
  const { finish_reason = null, time_to_first_token_ms = null } = attributes;
  const facts = { finish_reason, time_to_first_token_ms, tool_calls: jsonOrNull(tool_calls) };
  return { prompt_preview, response_preview, prompt_hash, span_id, ...(failed ? NO_FACTS : facts) };
}

const jsonOrNull = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Returns the content of a call. A failed call has no facts of a response. */
export function contentOfCall(call: NewCall, { failed }: Pick<Node, 'failed'>): Content {
  const { prompt_preview, response_preview, prompt_hash } = call;
  const { finish_reason, time_to_first_token_ms, tool_calls } = failed ? NO_FACTS : call;
  return {
    prompt_preview,
    response_preview,
    prompt_hash,
    finish_reason,
    time_to_first_token_ms,
    tool_calls,
  };
}

/** Gives a call without texts those of another one, and the facts of the response that it lacks. */
export function withContent(call: NewCall, content: Content): NewCall {
  const { prompt_preview, response_preview, prompt_hash } = content;
  return {
    ...call,
    prompt_preview,
    response_preview,
    prompt_hash,
    finish_reason: call.finish_reason ?? content.finish_reason ?? null,
    time_to_first_token_ms: call.time_to_first_token_ms ?? content.time_to_first_token_ms ?? null,
    tool_calls: call.tool_calls ?? content.tool_calls ?? null,
  };
}
