import { isContent } from './content-names.ts';
import { parsed } from './field.ts';
import { isObject } from './messages/read-message.ts';
import { isGenAi, isUnread } from './events.ts';
import { unmappedKinds } from './span-meaning.ts';
import { type ExampleOf, exampleOfAttribute, exampleOfEvent } from './unmapped-examples.ts';
import type { OtelSpan, SpanEvent } from './span.ts';
import type { Json } from './attributes.ts';
import { attributeAliases, splitWords } from './attribute-aliases.ts';

const mapped = new Set<string>(Object.values(attributeAliases).flat());

/**
 * Prefixes of names that need no mapping: OpenTelemetry's general conventions, request parameters,
 * descriptions of tools, agents and retrievals, what an application chooses, and redundant
 * attributes of instrumentations. No prefix covers all names of usage, responses, messages or
 * kinds, so that new ones are reported as unmapped.
 */
const ignoredPrefixes = splitWords(`
    server. client. url. http. network. net. rpc. db. peer. code. thread. process. host. os.
    telemetry. service. deployment. error. exception. otel. messaging. faas. cloud. k8s.
    container. aws. user_agent. jsonrpc. mcp. session. user. enduser. metadata tag.tags
    gen_ai.request. gen_ai.tool. gen_ai.agent. gen_ai.client. gen_ai.embeddings. gen_ai.event.
    gen_ai.retrieval. gen_ai.memory. gen_ai.evaluation. gen_ai.guardrail. gen_ai.output.type
    gen_ai.openai.api_ gen_ai.openai.request. gen_ai.usage.total_tokens gen_ai.usage.text.
    gen_ai.usage.image. gen_ai.usage.audio. gen_ai.usage.video. gen_ai.execute_tool.duration
    gen_ai.invoke_agent. gen_ai.invoke_workflow.duration llm.invocation_parameters llm.tools.
    llm.prompt_template. llm.function_call llm.token_count.total llm.finish_reason llm.cost.
    llm.request. llm.headers llm.is_streaming llm.top_k llm.chat.stop_sequences
    llm.frequency_penalty llm.presence_penalty llm.usage.total_tokens
    input.mime_type output.mime_type embedding. reranker. document. tool. graph.node.
    ai.settings.context. ai.telemetry. ai.request. ai.response.audio. ai.schema ai.toolCall.
    ai.model. ai.usage.totalTokens ai.usage.inputTokenDetails.noCacheTokens
    ai.usage.outputTokenDetails.textTokens operation.name resource.name traceloop.association.
    traceloop.entity. traceloop.prompt. langfuse.observation.metadata. langfuse.trace.metadata.
    anthropic.request. anthropic.thinking. anthropic.session. anthropic.environment.
    openai.api. openai.request. azure. model_request_parameters hidden_params
    gen_ai.cost.input_cost gen_ai.cost.output_cost gen_ai.cost.tool_usage_cost
    gen_ai.cost.cache_ gen_ai.cost.reasoning_cost gen_ai.cost.original_cost
    gen_ai.cost.discount_ gen_ai.cost.margin_
`);

/** Further names that need no mapping, of families where a new name may need one. */
const ignoredNames = new Set(
  splitWords(`
    gen_ai.response.service_tier gen_ai.response.system_fingerprint
    gen_ai.openai.response.service_tier gen_ai.openai.response.system_fingerprint
    openai.response.service_tier openai.response.system_fingerprint
    anthropic.response.service_tier anthropic.organization.id anthropic.workspace.id anthropic.beta
    anthropic.content.truncated anthropic.toolset.name
    ai.prompt.format ai.prompt.toolChoice ai.prompt.tools
    ai.response.avgCompletionTokensPerSecond ai.response.avgOutputTokensPerSecond
    ai.response.msToFinish ai.response.providerMetadata ai.response.timestamp
    ai.settings.frequencyPenalty ai.settings.headers ai.settings.maxOutputTokens
    ai.settings.maxRetries ai.settings.maxSteps ai.settings.maxTokens ai.settings.mode
    ai.settings.output ai.settings.presencePenalty ai.settings.reasoning ai.settings.seed
    ai.settings.stopSequences ai.settings.temperature ai.settings.timeout ai.settings.toolChoice
    ai.settings.topK ai.settings.topP
  `),
);

// Vendor attributes are redundant, except for usage, which may need a mapping.
const vendors = splitWords('mlflow. langfuse. logfire. mastra. genkit: litellm. gcp.vertex.agent.');
const hasUsage = /usage|token|cost/i;

const isMapped = (name: string): boolean =>
  mapped.has(name) ||
  isContent(name) ||
  ignoredNames.has(name) ||
  ignoredPrefixes.some((prefix) => name.startsWith(prefix)) ||
  (vendors.some((prefix) => name.startsWith(prefix)) && !hasUsage.test(name));

/**
 * Returns the unmapped parts of a GenAI span: attribute names with `N` for numbers, `name = value`,
 * and event names. Event bodies follow no convention, so only their GenAI attributes are included.
 */
export function unmappedParts(
  { attributes, events }: Pick<OtelSpan, 'attributes' | 'events'>,
  known: MappedNames = new Map(),
): UnmappedPart[] {
  const parts: UnmappedPart[] = [];
  const add = (name: string, value: Json): void => {
    if (isKnown(name, known)) return;
    const listed = name.replaceAll(/(?<=\.)\d+(?=\.|$)/g, 'N');
    parts.push(partOf(listed, (rules) => exampleOfAttribute(name, value, rules)));
  };
  for (const name in attributes) add(name, attributes[name] as Json);
  for (const event of events) if (isGenAi(event.name)) addAttributes(event, add);
  for (const [name, kind] of unmappedKinds(attributes)) {
    const value = attributes[name] as Json;
    parts.push(partOf(`${name} = ${kind}`, (rules) => exampleOfAttribute(name, value, rules)));
  }
  for (const event of events)
    if (isUnread(event))
      parts.push(partOf(`event ${event.name}`, (rules) => exampleOfEvent(event.attributes, rules)));
  return parts.length === 0 ? parts : distinct(parts);
}

/**
 * Returns the unmapped attributes of any other span that look like the usage of a model: numbers,
 * or objects, whose names have a word of usage. They may come from a framework that is not known
 * yet, whose calls would otherwise be missing without a trace. A cost alone may be that of
 * anything, so it is only returned beside tokens or usage.
 */
export function unmappedUsage(
  { attributes }: Pick<OtelSpan, 'attributes'>,
  known: MappedNames = new Map(),
): UnmappedPart[] {
  const names = Object.keys(attributes).filter(
    (name) => hasUsageOfModel.test(name) && isAmount(attributes[name]) && !isKnown(name, known),
  );
  if (!names.some((name) => /token|usage/i.test(name))) return [];
  const usage = Object.fromEntries(names.map((name) => [name, attributes[name] as Json]));
  return unmappedParts({ attributes: usage, events: [] }, known);
}

const hasUsageOfModel = /token|cost|^(?!.*(?:cpu|memory|heap|disk|storage|network)).*usage/i;

/** Whether a value may be an amount, or an object of amounts. Text may be an authentication token. */
const isAmount = (value: Json | undefined): boolean =>
  typeof value === 'number' || isObject(parsed(value));

/** An unmapped part of a span. */
export interface UnmappedPart {
  name: string;
  exampleOf: ExampleOf;
}

const partOf = (name: string, exampleOf: ExampleOf): UnmappedPart => ({
  name: name.slice(0, 200),
  exampleOf,
});

/** Returns one part of each name: the last one. */
const distinct = (parts: readonly UnmappedPart[]): UnmappedPart[] => [
  ...new Map(parts.map((part) => [part.name, part])).values(),
];

function isKnown(name: string, known: MappedNames): boolean {
  let isOne = known.get(name);
  if (isOne === undefined) known.set(name, (isOne = isMapped(name)));
  return isOne;
}

/** A cache that says whether names are mapped, because the spans of a request repeat few names. */
export type MappedNames = Map<string, boolean>;

function addAttributes({ attributes }: SpanEvent, add: (name: string, value: Json) => void): void {
  for (const [name, value] of Object.entries(attributes)) if (isGenAi(name)) add(name, value);
}
