import type { Attributes } from '../attributes.ts';
import { hasContent, attributesWithDetails } from '../events.ts';
import { fieldOf, parsed } from '../field.ts';
import type { OtelSpan, SpanEvent } from '../span.ts';
import { readMessages, readResponse } from './conversation.ts';
import type { Message } from './chat-message.ts';
import { eventBody } from './prompt.ts';
import { isObject, readMessage } from './read-message.ts';
import { unflatten } from './unflatten.ts';

type Source = (span: Pick<OtelSpan, 'attributes' | 'events'>) => Message[] | undefined;

/** Returns the response messages of a span, from the first source that has any. */
export function responseOf(span: Pick<OtelSpan, 'attributes' | 'events'>): Message[] {
  for (const source of sources) {
    const messages = source(span);
    if (messages && messages.length > 0) return messages;
  }
  return [];
}

const sources: readonly Source[] = [
  (span) => readMessages(attributesWithDetails(span)['gen_ai.output.messages'], 'assistant'),
  ({ events }) => events.flatMap((event) => ofChoice(event) ?? []),
  ({ events }) =>
    events
      .filter((event) => hasContent(event, 'completion'))
      .flatMap((event) => readResponse(event.attributes['gen_ai.completion']) ?? []),
  ({ attributes }) => readResponse(attributes['gen_ai.completion']),
  ...['gen_ai.completion', 'llm.output_messages'].map(
    (prefix): Source =>
      ({ attributes }) =>
        readMessages(unflatten(attributes, prefix), 'assistant'),
  ),
  ({ attributes }) => readVercelResponse(attributes),
  ({ attributes }) => readResponse(fieldOf(attributes, 'output')),
];

function ofChoice(event: SpanEvent): Message | undefined {
  if (!hasContent(event, 'choice')) return undefined;
  const body = eventBody(event.attributes);
  const message = isObject(body) ? parsed(body.message) : undefined;
  if (typeof message === 'string' || Array.isArray(message))
    return readMessage({ content: message }, 'assistant');
  return readMessage(isObject(message) ? message : body, 'assistant');
}

function readVercelResponse(attributes: Attributes): Message[] | undefined {
  const text = attributes['ai.response.text'] ?? attributes['ai.result.text'];
  const object = attributes['ai.response.object'] ?? attributes['ai.result.object'];
  const calls = parsed(attributes['ai.response.toolCalls'] ?? attributes['ai.result.toolCalls']);
  const content = [text, object].find((value) => typeof value === 'string' && value !== '') ?? '';
  if (content === '' && !Array.isArray(calls)) return undefined;
  const message = readMessage({ content, tool_calls: calls ?? null }, 'assistant');
  return message && [message];
}
