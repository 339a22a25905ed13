import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import { unflatten } from '../messages/unflatten.ts';
import { printedUsage } from './printed-usage.ts';
import type { SpanReader } from './client.ts';

/**
 * LiteLLM's own callback. The tool calls of a response are separate from the message, and the
 * provider's details of the usage are only in a dictionary that Python printed.
 */
export const litellm: SpanReader = {
  isScope: (scope) => scope === 'litellm',
  readSpan(span) {
    const { attributes } = span;
    const output = withToolCalls(attributes);
    return {
      ...span,
      attributes: {
        ...printedUsage(attributes['metadata.usage_object']),
        ...attributes,
        ...(output && { 'gen_ai.output.messages': output }),
      },
    };
  },
};

/**
 * Returns the output messages with the tool calls added to the first; undefined if there are none
 * to add.
 */
function withToolCalls(attributes: Attributes): Json[] | undefined {
  const calls = unflatten(attributes, 'gen_ai.completion').flatMap((item) =>
    isObject(item) && isObject(item.function_call) ? item.function_call : [],
  );
  const messages = parsed(attributes['gen_ai.output.messages']);
  const [first, ...others] = Array.isArray(messages) ? messages : [];
  const hasParts = isObject(first) && Array.isArray(first.parts) && first.parts.length > 0;
  if (calls.length === 0 || hasParts) return undefined;
  return [{ ...(isObject(first) ? first : { role: 'assistant' }), tool_calls: calls }, ...others];
}
