import { DAY_MS } from '#lib/time-units.ts';
import type { Tables } from '../storage/tables.ts';
import type { Attributes } from './attributes.ts';
import { hasContent } from './events.ts';
import type { SpanMeaning } from './span-meaning.ts';
import { shortened } from './messages/chat-message.ts';
import type { OtelSpan } from './span.ts';

export type MappedScore = Pick<
  Tables['scores'],
  | 'created_at'
  | 'name'
  | 'data_type'
  | 'source'
  | 'numeric_value'
  | 'string_value'
  | 'comment'
  | 'evaluator_name'
>;

/** Low enough that sums stay finite. */
const MAX_VALUE = 1e15;

/** Returns the evaluation results that a span reports in its events or attributes. */
export function scoresOf(span: OtelSpan, meaning: SpanMeaning): MappedScore[] {
  const sources = [
    { at: span.ended_at, attributes: span.attributes },
    ...span.events.filter((event) => hasContent(event, 'evaluation')),
  ];
  const isEvaluator = meaning === 'evaluator';
  return sources.flatMap(({ at, attributes }) => {
    const result = resultOf(attributes);
    if (!result) return [];
    return {
      // A time that is more than a day later comes from a wrong clock.
      created_at: at > 0 && at <= span.ended_at + DAY_MS ? at : span.ended_at,
      source: isEvaluator ? ('evaluator' as const) : ('sdk' as const),
      evaluator_name: isEvaluator ? span.name : null,
      ...result,
    };
  });
}

function resultOf(attributes: Attributes) {
  const name = attributes['gen_ai.evaluation.name'];
  const value = attributes['gen_ai.evaluation.score.value'];
  const label = attributes['gen_ai.evaluation.score.label'];
  const explanation = attributes['gen_ai.evaluation.explanation'];
  const number = typeof value === 'number' && Math.abs(value) <= MAX_VALUE ? value : null;
  const text = typeof label === 'string' && label !== '' ? label : null;
  if (typeof name !== 'string' || name === '' || (number === null && text === null)) return null;
  return {
    name: name.slice(0, 200).toWellFormed(),
    data_type: number === null ? ('categorical' as const) : ('numeric' as const),
    numeric_value: number,
    string_value: text?.slice(0, 200).toWellFormed() ?? null,
    comment: typeof explanation === 'string' ? shortened(explanation) : null,
  };
}
