import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import { unflatten } from '../messages/unflatten.ts';
import type { SpanReader } from './client.ts';

/**
 * OpenInference's spans of Anthropic's client for JavaScript. Their messages lack the system prompt,
 * which is only among the parameters of the request.
 */
export const openInferenceAnthropic: SpanReader = {
  isScope: (scope) => scope === '@arizeai/openinference-instrumentation-anthropic',
  readSpan(span) {
    const { attributes } = span;
    const parameters = parsed(attributes['llm.invocation_parameters']);
    if (!isObject(parameters) || parameters.system === undefined) return span;
    const messages = unflatten(attributes, 'llm.input_messages');
    // Without messages, the whole request is read, which includes the system prompt.
    if (messages.length === 0) return span;
    const prompt = {
      'gen_ai.system_instructions': parameters.system,
      'gen_ai.input.messages': messages,
    };
    return { ...span, attributes: { ...attributes, ...prompt } };
  },
};
