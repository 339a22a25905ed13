import type { NewCall, NewSpan } from '../recording/queries.ts';
import type { Node } from './nesting.ts';

export type Texts = Pick<NewCall, 'prompt_preview' | 'response_preview' | 'prompt_hash'>;

/**
 * Converts a call with a nested call to a behavior span. It uses only the stored call, because the
 * inner call may arrive later than the outer one.
 */
export function wrapperSpan(call: NewCall, node: Node): NewSpan {
  const { prompt_preview, response_preview, prompt_hash } = node.has_text ? call : NO_TEXTS;
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
      span_id: node.span_id,
      ...(node.parent_span_id !== null && { parent_span_id: node.parent_span_id }),
    }),
    input_data: prompt_preview ? JSON.stringify({ prompt_preview }) : null,
    output_data: response_preview ? JSON.stringify({ response_preview }) : null,
    span_id: node.span_id,
    parent_span_id: node.parent_span_id,
    started_at: call.started_at ?? call.created_at - (call.duration_ms ?? 0),
  };
}

const NO_TEXTS: Texts = { prompt_preview: '', response_preview: '', prompt_hash: '' };

/** Reads the texts from a behavior span that was created by `wrapperSpan` or from a failed call. */
export function textsOfSpan(
  row: Pick<NewSpan, 'attributes' | 'input_data' | 'output_data'>,
): Texts & { span_id: string } {
  const read = (text: string | null | undefined) =>
    JSON.parse(text ?? '{}') as Partial<Texts & { span_id: string }>;
  const { prompt_hash = '', span_id = '' } = read(row.attributes);
  const { prompt_preview = '' } = read(row.input_data);
  const { response_preview = '' } = read(row.output_data);
  return { prompt_preview, response_preview, prompt_hash, span_id };
}
