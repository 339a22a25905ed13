import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import { definedMembers, type SpanReader, textIn } from './client.ts';

/** The operations for Genkit's kinds of actions; all other kinds are steps. */
const operations: Record<string, string> = {
  model: 'chat',
  tool: 'execute_tool',
  flow: 'invoke_agent',
  embedder: 'embeddings',
  retriever: 'retrieval',
  evaluator: 'evaluation',
};

/**
 * Genkit (`enableTelemetry`) only has attributes of its own: the input and the output of an action.
 */
export const genkit: SpanReader = {
  isScope: (scope) => scope === 'genkit-tracer',
  readSpan(span) {
    const { 'genkit:input': input, 'genkit:output': output, ...attributes } = span.attributes;
    const name = textIn(attributes, 'genkit:name');
    if (name === undefined) return span;
    const kind = textIn(attributes, 'genkit:metadata:subtype') ?? '';
    const more = kind === 'model' ? ofModel(name, parsed(input), parsed(output)) : {};
    return {
      ...span,
      attributes: {
        ...attributes,
        ...definedMembers({
          'gen_ai.operation.name': operations[kind] ?? 'task',
          'gen_ai.agent.name': kind === 'flow' ? name : undefined,
          'gen_ai.tool.name': kind === 'tool' ? name : undefined,
          'input.value': kind === 'model' ? undefined : input,
          'output.value': kind === 'model' ? undefined : output,
          ...more,
        }),
      },
    };
  },
};

/**
 * Reads a call. The name, such as `openai/gpt-4o`, is that of the plugin and the plugin's name of
 * the model.
 */
function ofModel(
  name: string,
  input: Json | undefined,
  output: Json | undefined,
): Record<string, Json | undefined> {
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const answer = objectOf(output);
  const raw = objectOf(answer.raw);
  return {
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model ?? name,
    'gen_ai.response.model': raw.model ?? raw.modelVersion,
    'gen_ai.response.id': raw.id ?? raw.responseId,
    'gen_ai.response.finish_reasons': answer.finishReason,
    'gen_ai.input.messages': objectOf(input).messages,
    'gen_ai.output.messages': answer.message === undefined ? undefined : [answer.message],
    ...usageOf(objectOf(answer.usage), objectOf(raw.usage)),
  };
}

/** Reads the usage. Genkit passes on OpenAI's details only in the raw response. */
function usageOf(usage: Attributes, raw: Attributes): Record<string, Json | undefined> {
  const { inputTokens, outputTokens, totalTokens, thoughtsTokens, cachedContentTokens } = usage;
  // Gemini's thoughts are not part of its output tokens.
  const isBeside =
    typeof thoughtsTokens === 'number' &&
    Number(totalTokens) === Number(inputTokens) + Number(outputTokens) + thoughtsTokens;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': isBeside ? Number(outputTokens) + thoughtsTokens : outputTokens,
    'gen_ai.usage.cache_read.input_tokens':
      cachedContentTokens ?? objectOf(raw.prompt_tokens_details).cached_tokens,
    'gen_ai.usage.reasoning.output_tokens':
      thoughtsTokens ?? objectOf(raw.completion_tokens_details).reasoning_tokens,
  };
}

const objectOf = (value: Json | undefined): Attributes => (isObject(value) ? value : {});
