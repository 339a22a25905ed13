import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import { definedMembers, type SpanReader } from './client.ts';

const TAG = 'mlflow.traceTag.';
const USAGE = 'mlflow.chat.tokenUsage';
const COST = 'mlflow.llm.cost';
/** Attributes that are dropped because they are translated to other names or are not needed. */
const translated = new Set([USAGE, COST, 'model', 'tools']);

/**
 * MLflow, which writes every value as JSON. The usage is one object without reasoning tokens and
 * ids, which are only in the provider's response. The span of an agent has the agent's name. Tags
 * have keys.
 */
export const mlflow: SpanReader = {
  isScope: (scope) => scope.startsWith('mlflow.'),
  readSpan(span) {
    const { attributes, name } = span;
    const rest = Object.entries(attributes).filter(([key]) => !translated.has(key));
    const value = (key: string): Json | undefined => parsed(attributes[`mlflow.${key}`]);
    return {
      ...span,
      attributes: {
        ...definedMembers({
          'gen_ai.agent.name': value('spanType') === 'AGENT' ? name : undefined,
          'gen_ai.provider.name': value('llm.provider') ?? value('message.format'),
          'gen_ai.response.model': value('llm.model') ?? parsed(attributes.model),
          'gen_ai.usage.cost': objectOf(parsed(attributes[COST])).total_cost,
          'tag.tags': tagsOf(attributes),
          ...usageOf(objectOf(parsed(attributes[USAGE])), value('message.format') === 'anthropic'),
          ...ofResponse(objectOf(value('spanOutputs'))),
        }),
        ...Object.fromEntries(rest),
      },
    };
  },
};

/** Reads the usage. Input tokens of Anthropic exclude the cached tokens, as in its API. */
function usageOf(usage: Attributes, isBeside: boolean): Record<string, Json | undefined> {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
    usage;
  const cached = Number(cache_read_input_tokens ?? 0) + Number(cache_creation_input_tokens ?? 0);
  return {
    'gen_ai.usage.input_tokens': isBeside ? Number(input_tokens ?? 0) + cached : input_tokens,
    'gen_ai.usage.output_tokens': output_tokens,
    'gen_ai.usage.cache_read.input_tokens': cache_read_input_tokens,
    'gen_ai.usage.cache_write.input_tokens': cache_creation_input_tokens,
  };
}

/** Reads the body of a provider's response. */
function ofResponse({ id, usage, choices }: Attributes): Record<string, Json | undefined> {
  const { completion_tokens_details, output_tokens_details } = objectOf(usage);
  const details = objectOf(completion_tokens_details ?? output_tokens_details);
  return {
    'gen_ai.response.id': id,
    'gen_ai.response.finish_reasons': Array.isArray(choices)
      ? choices.flatMap((choice) => objectOf(choice).finish_reason ?? [])
      : undefined,
    'gen_ai.usage.reasoning.output_tokens': details.reasoning_tokens,
  };
}

/** Returns tags such as `team: blue`. The values of the key `tags` are labels without a key. */
function tagsOf(attributes: Attributes): string[] | undefined {
  const tags = Object.entries(attributes).flatMap(([name, value]) => {
    if (!name.startsWith(TAG) || typeof value !== 'string') return [];
    const key = name.slice(TAG.length);
    return key === 'tags' ? labelsIn(value) : `${key}: ${value}`;
  });
  return tags.length > 0 ? tags : undefined;
}

const labelsIn = (text: string): string[] => {
  const list = parsed(text);
  return Array.isArray(list) ? list.filter((tag) => typeof tag === 'string') : [text];
};

const objectOf = (value: Json | undefined): Attributes => (isObject(value) ? value : {});
