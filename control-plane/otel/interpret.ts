import type { Attributes, Json } from './attributes.ts';
import { fieldOf } from './field.ts';
import { spellings } from './attribute-aliases.ts';
import { words } from './words.ts';

/** What a span of an AI agent is. Of these, inference and embedding count as LLM calls. */
export type Meaning =
  | 'inference'
  | 'embedding'
  | 'tool'
  | 'retriever'
  | 'decision'
  | 'evaluator'
  | 'agent'
  | 'reasoning';

/** Is it counted as an LLM call, unless another one is nested in it? */
export const isCall = (meaning: Meaning | undefined): boolean =>
  meaning === 'inference' || meaning === 'embedding';

/**
 * Is it a step of its own? What lies below a tool or an agent is work that it caused, never the call
 * above told once more. Chains, tasks and the like may well stand between two tellings of one call.
 */
export const isBoundary = (meaning: Meaning): boolean =>
  !isCall(meaning) && meaning !== 'reasoning';

/** The values of the kind attributes, in lower case. */
const meanings: Record<Meaning, readonly string[]> = {
  inference: words(`
      chat generate_content text_completion completion llm chat_model generation ai.generatetext
      ai.generatetext.dogenerate ai.streamtext ai.streamtext.dostream ai.generateobject
      ai.generateobject.dogenerate ai.streamobject ai.streamobject.dostream
  `),
  embedding: words(`
      embeddings embedding ai.embed ai.embed.doembed ai.embedmany ai.embedmany.doembed
  `),
  tool: words(`
      execute_tool tool function ai.toolcall tools/call memory create_memory update_memory
      upsert_memory delete_memory create_memory_store delete_memory_store
  `),
  retriever: ['retrieval', 'retriever', 'reranker', 'rerank', 'search_memory', 'resources/read'],
  decision: ['guardrail', 'run_guardrail', 'decision'],
  evaluator: ['evaluator', 'evaluation'],
  agent: ['agent', 'create_agent', 'invoke_agent', 'workflow', 'invoke_workflow', 'plan'],
  reasoning: words(`
      agent_step chain task prompt parser span event step initialize tools/list resources/list
      prompts/list prompts/get
  `),
};

const meaningOf = new Map(
  Object.entries(meanings).flatMap(([meaning, values]) =>
    values.map((value) => [value, meaning as Meaning] as const),
  ),
);

/** What a span is; undefined when it is no part of what an AI agent does. */
export function interpret(attributes: Attributes): Meaning | undefined {
  const values = spellings.kind.flatMap((name) => kindValue(attributes[name]) ?? []);
  for (const value of values) {
    const meaning = meaningOf.get(value);
    if (meaning) return meaning;
  }
  return bySigns(attributes) ?? (values.length > 0 ? 'reasoning' : undefined);
}

/** Kind attributes whose value no rule knows, as `name = value`. */
export const unmappedKinds = (attributes: Attributes): string[] =>
  spellings.kind.flatMap((name) => {
    const value = kindValue(attributes[name]);
    return value === undefined || meaningOf.has(value) ? [] : [`${name} = ${value}`];
  });

/** MLflow writes values as JSON. */
const kindValue = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.replace(/^"(.*)"$/, '$1').toLowerCase()
    : undefined;

/** Attributes that any span may inherit, as session and agent names are, are no sign of anything. */
function bySigns(attributes: Attributes): Meaning | undefined {
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
  return has('input') || has('output') ? 'reasoning' : undefined;
}
