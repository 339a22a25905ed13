import type { SpanEvent, OtelSpan } from './span.ts';
import type { Attributes } from './attributes.ts';

/** The mapped events of the GenAI conventions, by content. */
export const events = {
  /** Prompt and response, if they are not on the span. */
  details: ['gen_ai.client.inference.operation.details'],
  exception: ['exception', 'gen_ai.client.operation.exception'],
  evaluation: ['gen_ai.evaluation.result'],
  /** In older conventions, each message is an event. */
  message: [
    'gen_ai.system.message',
    'gen_ai.user.message',
    'gen_ai.assistant.message',
    'gen_ai.tool.message',
  ],
  choice: ['gen_ai.choice'],
  prompt: ['gen_ai.content.prompt'],
  completion: ['gen_ai.content.completion'],
} as const satisfies Record<string, readonly string[]>;

type EventContent = keyof typeof events;

export const hasContent = ({ name }: SpanEvent, what: EventContent): boolean =>
  (events[what] as readonly string[]).includes(name);

const mapped = new Set<string>(Object.values(events).flat());

/** Whether it is a GenAI event that is not mapped. */
export const isUnread = ({ name }: SpanEvent): boolean => isGenAi(name) && !mapped.has(name);

export const isGenAi = (name: string): boolean => name.startsWith('gen_ai.');

/** Merges the attributes of a span with those of its event that carries prompt and response. */
export function attributesWithDetails({
  attributes,
  events,
}: Pick<OtelSpan, 'attributes' | 'events'>): Attributes {
  if (events.length === 0) return attributes;
  const details = events.filter((event) => hasContent(event, 'details'));
  if (details.length === 0) return attributes;
  return Object.assign({}, ...details.map((event) => event.attributes), attributes) as Attributes;
}
