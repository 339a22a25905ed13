import type { Pricer } from '../costs/price.ts';
import { recordedCost } from '../costs/recorded-cost.ts';
import type { Masker } from '../masking/masker.ts';
import { contentHash } from '../prompts/content-hash.ts';
import type { NewCall, NewScore, NewSpan } from '../recording/queries.ts';
import { behaviorOf, inputOf, outputOf } from './behavior.ts';
import { callOf, type PromptReference, type MappedCall } from './call.ts';
import { scoresOf, type MappedScore } from './evaluations.ts';
import { interpret, isBoundary, isCall, type Meaning } from './interpret.ts';
import type { Node } from './nesting.ts';
import type { OtelSpan } from './span.ts';
import { factsOf, type TraceFacts } from './trace-facts.ts';

/** The tenant's settings for mapping spans. */
export interface Settings {
  price: Pricer;
  masker: Masker;
  /** The content hash of a managed prompt version. */
  hashOf: (prompt: PromptReference) => string | undefined;
  newId: (prefix: string) => string;
}

/** A span, ready to be stored. */
export interface PreparedSpan {
  node: Node;
  facts: TraceFacts;
  /** Undefined for spans without AI work. */
  work: Work | undefined;
  span: OtelSpan;
}

interface Work {
  call: NewCall | undefined;
  /** The behavior span to store; for calls, only if they failed. */
  behavior: NewSpan | undefined;
  scores: NewScore[];
  /** Input and output of the run, used if this is the root span. */
  payload: { inputs: string | null; result: string | null };
}

export function prepare(span: OtelSpan, settings: Settings): PreparedSpan {
  const { masker } = settings;
  const error = span.error === null ? null : masker.mask({ error: span.error }).error;
  const masked = error === span.error ? span : { ...span, error };
  const meaning = interpret(span.attributes);
  const work = meaning && workOf(masked, meaning, settings);
  return {
    node: nodeOf(masked, kindOf(meaning), work?.call),
    facts: factsOf(masked),
    work,
    span: masked,
  };
}

function kindOf(meaning: Meaning | undefined): Node['kind'] {
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
  };
}

function workOf(span: OtelSpan, meaning: Meaning, settings: Settings): Work {
  const { masker, newId } = settings;
  const call = isCall(meaning) ? callRow(callOf(span, meaning), settings) : undefined;
  const { inputs, result } = masker.mask({
    inputs: inputOf(span, meaning),
    result: outputOf(span, meaning),
  });
  return {
    call,
    behavior: call && span.error === null ? undefined : behaviorRow(span, meaning, masker, call),
    scores: scoresOf(span, meaning).map((score) => scoreRow(score, masker, newId)),
    payload: { inputs: jsonOrNull(inputs), result: jsonOrNull(result) },
  };
}

function callRow(mapped: MappedCall, { price, masker, hashOf }: Settings): NewCall {
  const { cost, prompt, prompt_preview, response_preview, ...call } = mapped;
  const texts = masker.mask({ prompt_preview, response_preview });
  return {
    ...call,
    ...recordedCost(cost, call, { price, at: call.created_at }),
    prompt_hash:
      prompt.hash ?? hashOf(prompt) ?? (texts.prompt_preview && contentHash(texts.prompt_preview)),
    ...texts,
  };
}

function behaviorRow(
  span: OtelSpan,
  meaning: Meaning,
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
