import type { Attributes, Json } from '../attributes.ts';
import { hasContent, attributesWithDetails } from '../events.ts';
import { fieldOf, parsed } from '../field.ts';
import type { OtelSpan, SpanEvent } from '../span.ts';
import { instructions, readMessages, readPrompt } from './conversation.ts';
import type { Message } from './chat-message.ts';
import { isObject, readMessage } from './read-message.ts';
import { unflatten } from './unflatten.ts';

type Source = (span: Pick<OtelSpan, 'attributes' | 'events'>) => Message[] | undefined;

/** Returns the prompt messages of a span, from the first source that has any. */
export function promptOf(span: Pick<OtelSpan, 'attributes' | 'events'>): Message[] {
  for (const source of sources) {
    const messages = source(span);
    if (messages && messages.length > 0) return messages;
  }
  return [];
}

const sources: readonly Source[] = [
  (span) => byConventions(attributesWithDetails(span)),
  ({ events }) => events.flatMap((event) => ofEvent(event) ?? []),
  ({ events }) =>
    events
      .filter((event) => hasContent(event, 'prompt'))
      .flatMap((event) => readPrompt(event.attributes['gen_ai.prompt']) ?? []),
  ({ attributes }) => readPrompt(attributes['gen_ai.prompt']),
  ...['gen_ai.prompt', 'llm.input_messages', 'llm.prompts'].map(
    (prefix): Source =>
      ({ attributes }) =>
        readMessages(unflatten(attributes, prefix).map(promptText), 'user'),
  ),
  ({ attributes }) => readPrompt(attributes['ai.prompt.messages']),
  ({ attributes }) => readPrompt(attributes['ai.prompt']),
  ({ attributes }) => readPrompt(attributes['ai.values'] ?? attributes['ai.value']),
  ({ attributes }) => readPrompt(fieldOf(attributes, 'input')),
];

function byConventions(attributes: Attributes): Message[] {
  const system = attributes['gen_ai.system_instructions'];
  const messages = readMessages(attributes['gen_ai.input.messages'], 'user') ?? [];
  const own = system === undefined ? [] : instructions(system);
  // OpenLIT also sends the instructions among the messages.
  const isRepeated = own.some(({ content }) =>
    messages.some((message) => message.role === 'system' && message.content === content),
  );
  return isRepeated ? messages : [...own, ...messages];
}

/**
 * Reads a message from an event. Older conventions report each message as an event, and some have
 * its body in one attribute.
 */
function ofEvent(event: SpanEvent): Message | undefined {
  if (!hasContent(event, 'message')) return undefined;
  const [, role] = event.name.split('.');
  return readMessage(eventBody(event.attributes), role as string);
}

export function eventBody(attributes: Attributes): Json {
  const body = parsed(attributes['gen_ai.event.content'] ?? attributes['event_body']);
  return isObject(body) || typeof body === 'string' ? body : { ...attributes };
}

const promptText = (item: Json): Json =>
  isObject(item) && isObject(item.prompt) ? (item.prompt.text ?? null) : item;
