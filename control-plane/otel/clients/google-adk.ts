import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import { definedMembers, type SpanReader } from './client.ts';

const PREFIX = 'gcp.vertex.agent.';

/**
 * Google's Agent Development Kit has the bodies of Gemini's API in attributes of its own, in
 * JavaScript as in Python. Only these bodies contain the numbers of cached tokens and thoughts, and
 * thoughts are not part of the output tokens.
 */
export const googleAdk: SpanReader = {
  isScope: (scope) => scope === 'gcp.vertex.agent',
  readSpan(span) {
    const { 'gen_ai.system': system, ...attributes } = span.attributes;
    const body = (name: string): Attributes => objectOf(parsed(attributes[PREFIX + name]));
    const usage = usageOf(body('llm_response'));
    return {
      ...span,
      attributes: {
        ...messagesOf(body('llm_request'), body('llm_response')),
        ...definedMembers({
          // The system is the framework, whatever the provider of the model.
          'gen_ai.provider.name': system === 'gcp.vertex.agent' ? providerOf(attributes) : system,
          'gen_ai.tool.call.arguments': attributes[`${PREFIX}tool_call_args`],
          'gen_ai.tool.call.result': attributes[`${PREFIX}tool_response`],
        }),
        ...attributes,
        ...usage,
      },
    };
  },
};

const providerOf = ({ 'gen_ai.request.model': model }: Attributes): string | undefined =>
  typeof model === 'string' && model.startsWith('gemini') ? 'gcp.gen_ai' : undefined;

function messagesOf(request: Attributes, response: Attributes): Attributes {
  const config = objectOf(request.config);
  return definedMembers({
    'gen_ai.system_instructions': config.systemInstruction ?? config.system_instruction,
    'gen_ai.input.messages': request.contents,
    'gen_ai.output.messages': isObject(response.content) ? [response.content] : undefined,
  });
}

function usageOf(response: Attributes): Attributes {
  const usage = objectOf(response.usageMetadata ?? response.usage_metadata);
  const count = (name: string): number | undefined => {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const value = usage[name] ?? usage[snake];
    return typeof value === 'number' ? value : undefined;
  };
  const [output, thoughts] = [count('candidatesTokenCount'), count('thoughtsTokenCount')];
  const isUnknown = output === undefined && thoughts === undefined;
  return definedMembers({
    'gen_ai.usage.output_tokens': isUnknown ? undefined : (output ?? 0) + (thoughts ?? 0),
    'gen_ai.usage.cache_read.input_tokens': count('cachedContentTokenCount'),
    'gen_ai.usage.reasoning.output_tokens': thoughts,
  });
}

const objectOf = (value: Json | undefined): Attributes => (isObject(value) ? value : {});
