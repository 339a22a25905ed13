import type { SpanEvent } from './span.ts';

/** Events of the GenAI conventions that rules read, by what they tell. */
export const events = {
  /** What was said, where it does not stand on the span. */
  details: ['gen_ai.client.inference.operation.details'],
  exception: ['exception', 'gen_ai.client.operation.exception'],
  evaluation: ['gen_ai.evaluation.result'],
  /** Older conventions: each message by itself. */
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

const read = new Set<string>(Object.values(events).flat());

/** Is it of the GenAI conventions, though no rule reads it? */
export const isUnread = ({ name }: SpanEvent): boolean => isGenAi(name) && !read.has(name);

export const isGenAi = (name: string): boolean => name.startsWith('gen_ai.');
