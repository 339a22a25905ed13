import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import type { SpanReader } from './client.ts';
import { withPlainValues } from './langchain-values.ts';

const scopes = new Set([
  '@arizeai/openinference-instrumentation-langchain',
  'openinference.instrumentation.langchain',
]);

/**
 * OpenInference's spans of LangChain. Inputs and outputs of steps and tools are serialized by
 * LangChain. In JavaScript, a message whose content is a list of parts has a role, but its content
 * is only in the input of the span.
 */
export const langchainOpenInference: SpanReader = {
  isScope: (scope) => scopes.has(scope),
  readSpan(span) {
    const { attributes } = span;
    const kind = attributes['openinference.span.kind'];
    if (kind !== 'LLM')
      return { ...span, attributes: withPlainValues(attributes, kind === 'TOOL') };
    const empty = emptyMessages(attributes);
    if (empty.length === 0) return span;
    const messages = serializedMessages(attributes['input.value']);
    const contents = empty.flatMap((index) => {
      const content = contentOf(messages[index]);
      return content === undefined ? [] : [[`${nameOf(index)}.content`, content] as const];
    });
    return { ...span, attributes: { ...attributes, ...Object.fromEntries(contents) } };
  },
};

const nameOf = (index: number): string => `llm.input_messages.${index}.message`;

/** Returns the positions of the messages that have only a role. */
function emptyMessages(attributes: Attributes): number[] {
  const filled = new Set<number>();
  for (const name in attributes) {
    const [, index, member] = MESSAGE.exec(name) ?? [];
    if (member !== undefined && member !== 'role') filled.add(Number(index));
  }
  const empty: number[] = [];
  for (let index = 0; `${nameOf(index)}.role` in attributes; index += 1)
    if (!filled.has(index)) empty.push(index);
  return empty;
}

const MESSAGE = /^llm\.input_messages\.(\d+)\.message\.(\w+)/;

/** The messages of the first prompt: a call of LangChain has a list of prompts. */
function serializedMessages(input: Json | undefined): readonly Json[] {
  const json = parsed(input);
  const prompts = isObject(json) ? json.messages : undefined;
  const first = Array.isArray(prompts) ? prompts[0] : undefined;
  return Array.isArray(first) ? first : [];
}

function contentOf(message: Json | undefined): Json | undefined {
  const members = isObject(message) ? message.kwargs : undefined;
  return isObject(members) && Array.isArray(members.content) ? members.content : undefined;
}
