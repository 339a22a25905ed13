import type { Attributes } from './attributes.ts';
import { parsed, textOf } from './field.ts';
import { isObject } from './messages/read-message.ts';
import { metadataOf } from './metadata-attribute.ts';
import type { OtelSpan } from './span.ts';

/**
 * Returns the model of a call: that of the response, or else that of the request. OpenInference has
 * the latter only among the parameters, so a failed call has no other.
 */
export function modelOf(attributes: Attributes): string | undefined {
  const model = textOf(attributes, 'model');
  if (model !== undefined) return model;
  const parameters = parsed(attributes['llm.invocation_parameters']);
  return isObject(parameters)
    ? textOf({ 'llm.model_name': parameters.model ?? '' }, 'model')
    : undefined;
}

/**
 * The makers of models that are not published for others to serve, by the beginning of the model's
 * name. They have the names of providers in the GenAI conventions
 * (https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/).
 */
const makers: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-(?!oss)|chatgpt-|o[134](?:$|-)|text-embedding-(?:3|ada)-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^(?:models\/)?gemini-/, 'gcp.gemini'],
  [/^deepseek-(?:chat|reasoner)$/, 'deepseek'],
  [/^grok-/, 'x_ai'],
  [/^sonar(?:$|-)/, 'perplexity'],
];

/**
 * Returns the provider of a call; null if it is unknown. LangChain names it only in its metadata.
 * Without any name it is the maker of the model.
 */
export function providerOf(span: OtelSpan, model: string): string | null {
  const { attributes } = span;
  return statedProvider(span) ?? metadataOf(attributes).provider ?? makerOf(model) ?? null;
}

/**
 * Returns the stated provider. The Vercel AI SDK writes `openai.chat` for `openai`. A scope that
 * names itself is that of Strands for JavaScript, which has the name of the service.
 */
function statedProvider({ attributes, scope }: OtelSpan): string | undefined {
  const provider = textOf(attributes, 'provider')?.toLowerCase();
  if (provider === undefined || provider === scope.name.toLowerCase()) return undefined;
  return 'ai.model.provider' in attributes && provider === attributes['ai.model.provider']
    ? provider.split('.')[0]
    : provider;
}

const makerOf = (model: string): string | undefined =>
  makers.find(([names]) => names.test(model.toLowerCase()))?.[1];
