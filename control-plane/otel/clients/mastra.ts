import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import type { SpanReader } from './client.ts';
import { definedMembers } from './client.ts';

/**
 * Mastra's exporter. A step has the messages of the one call within it, and the call has the model
 * and the tokens. Session and user are metadata. The chunks of a stream are spans without further
 * information.
 */
export const mastra: SpanReader = {
  isScope: (scope) => scope === '@mastra/otel-exporter',
  readSpan(span) {
    const type = span.attributes['mastra.span.type'];
    if (type === 'model_chunk') return 'ignored';
    const own = {
      ...span,
      attributes: { ...ownerOf(span.attributes), ...withProvider(span.attributes) },
    };
    if (type === 'model_step') return { ...own, attributes: asCall(own.attributes) };
    if (type !== 'model_inference') return own;
    const { 'gen_ai.output.messages': _, ...attributes } = own.attributes;
    return { ...own, attributes, error: span.error ?? failureOf(attributes) };
  },
};

const ownerOf = (attributes: Attributes): Attributes =>
  definedMembers({
    'session.id': attributes['mastra.metadata.sessionId'] ?? attributes['mastra.metadata.threadId'],
    'user.id': attributes['mastra.metadata.userId'] ?? attributes['mastra.metadata.resourceId'],
  });

/** Shortens the provider, such as `openai.chat` to `openai`. */
function withProvider(attributes: Attributes): Attributes {
  const provider = attributes['gen_ai.provider.name'];
  return typeof provider === 'string'
    ? { ...attributes, 'gen_ai.provider.name': provider.split('.')[0] as string }
    : attributes;
}

/** Turns a step into a call around the actual one: it provides its messages, and is not counted. */
function asCall(attributes: Attributes): Attributes {
  const model = parsed(attributes['mastra.metadata.modelMetadata']);
  const output = parsed(attributes['mastra.model_step.output']);
  return {
    ...attributes,
    ...definedMembers({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': isObject(model) ? model.modelId : undefined,
      'gen_ai.input.messages': attributes['mastra.model_step.input'],
      'gen_ai.output.messages': isObject(output) ? [messageOf(output)] : undefined,
    }),
  };
}

const messageOf = ({ text, toolCalls }: { [key: string]: Json }): Json => ({
  role: 'assistant',
  content: text ?? '',
  tool_calls: toolCalls ?? null,
});

function failureOf({ 'gen_ai.response.finish_reasons': reasons }: Attributes): string | null {
  const list = parsed(reasons);
  return Array.isArray(list) && list.includes('error') ? 'the call ended with an error' : null;
}
