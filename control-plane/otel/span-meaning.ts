import type { Attributes, Json } from './attributes.ts';
import { fieldOf } from './field.ts';
import { attributeAliases, splitWords } from './attribute-aliases.ts';

/**
 * What a span of an AI agent means, in one vocabulary for all conventions: OpenTelemetry calls it
 * operation, OpenInference kind. Inference and embedding count as LLM calls. A step is any part of
 * an agent's work that is nothing else in this list, such as a chain or a task.
 */
export type SpanMeaning =
  | 'inference'
  | 'embedding'
  | 'tool'
  | 'retriever'
  | 'decision'
  | 'evaluator'
  | 'agent'
  | 'step';

/** Whether the span counts as an LLM call, unless another call is nested in it. */
export const isCall = (meaning: SpanMeaning | undefined): boolean =>
  meaning === 'inference' || meaning === 'embedding';

/**
 * Whether the span begins new work. A call below such a span, for example a tool or an agent, is
 * never a duplicate of a call above it. Chains, tasks and similar spans are no boundary: two spans
 * of the same call may have them in between.
 */
export const isBoundary = (meaning: SpanMeaning): boolean => !isCall(meaning) && meaning !== 'step';

/** The values of the attributes that state a span's kind or operation, in lower case. */
const meanings: Record<SpanMeaning, readonly string[]> = {
  inference: splitWords(`
      chat generate_content text_completion completion llm chat_model generation ai.generatetext
      ai.generatetext.dogenerate ai.streamtext ai.streamtext.dostream ai.generateobject
      ai.generateobject.dogenerate ai.streamobject ai.streamobject.dostream
  `),
  embedding: splitWords(`
      embeddings embedding ai.embed ai.embed.doembed ai.embedmany ai.embedmany.doembed
  `),
  tool: splitWords(`
      execute_tool tool function ai.toolcall tools/call memory create_memory update_memory
      upsert_memory delete_memory create_memory_store delete_memory_store
  `),
  retriever: ['retrieval', 'retriever', 'reranker', 'rerank', 'search_memory', 'resources/read'],
  decision: ['guardrail', 'run_guardrail', 'decision'],
  evaluator: ['evaluator', 'evaluation'],
  agent: ['agent', 'invoke_agent', 'workflow', 'invoke_workflow', 'plan'],
  step: splitWords(`
      agent_step chain task prompt parser span event step initialize tools/list resources/list
      prompts/list prompts/get
  `),
};

const meaningOf = new Map(
  Object.entries(meanings).flatMap(([meaning, values]) =>
    values.map((value) => [value, meaning as SpanMeaning] as const),
  ),
);

/**
 * An operation that is not work of an agent. AutoGen creates an agent in a trace of its own, before
 * that of each run.
 */
const CREATION = 'create_agent';

/** Returns the meaning of a span; undefined if it is not part of an AI agent's work. */
export function interpret(attributes: Attributes): SpanMeaning | undefined {
  let hasKind = false;
  for (const name of attributeAliases.kind) {
    const value = kindValue(attributes[name]);
    if (value === CREATION) return undefined;
    const meaning = value === undefined ? undefined : meaningOf.get(value);
    if (meaning) return meaning;
    hasKind ||= value !== undefined;
  }
  return meaningByAttributes(attributes) ?? (hasKind ? 'step' : undefined);
}

/** Returns the names of the kind attributes with unmapped values, each with the kind. */
export function unmappedKinds(attributes: Attributes): [name: string, kind: string][] {
  const unmapped: [string, string][] = [];
  for (const name of attributeAliases.kind) {
    const value = kindValue(attributes[name]);
    if (value !== undefined && value !== CREATION && !meaningOf.has(value))
      unmapped.push([name, value]);
  }
  return unmapped;
}

/** Returns a kind in lower case, without the quotes that MLflow adds by writing values as JSON. */
const kindValue = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== ''
    ? (value.startsWith('"') ? value.replace(/^"(.*)"$/, '$1') : value).toLowerCase()
    : undefined;

/**
 * Infers the meaning from other attributes. Inheritable ones, such as session and agent names, are not
 * considered.
 */
function meaningByAttributes(attributes: Attributes): SpanMeaning | undefined {
  const has = (field: Parameters<typeof fieldOf>[1]): boolean =>
    fieldOf(attributes, field) !== undefined;
  const starts = (prefix: string): boolean =>
    Object.keys(attributes).some((name) => name.startsWith(prefix));
  if (has('tool')) return 'tool';
  if ('embedding.model_name' in attributes) return 'embedding';
  if (has('tokensIn') || has('tokensOut') || has('usageDetails')) return 'inference';
  if (has('model') && has('provider')) return 'inference';
  if (starts('gen_ai.retrieval.') || starts('retrieval.documents.')) return 'retriever';
  if (starts('gen_ai.guardrail.')) return 'decision';
  if (starts('gen_ai.evaluation.')) return 'evaluator';
  return has('input') || has('output') ? 'step' : undefined;
}
