import type { SpanEvent } from './span.ts';

/** Events of the GenAI conventions that are mapped, by content. */
export const events = {
  /** Prompt and response, if they are not on the span. */
  details: ['gen_ai.client.inference.operation.details'],
  exception: ['exception', 'gen_ai.client.operation.exception'],
  evaluation: ['gen_ai.evaluation.result'],
  /** Older conventions: one event per message. */
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

/** Is it a GenAI event that is not mapped? */
export const isUnread = ({ name }: SpanEvent): boolean => isGenAi(name) && !mapped.has(name);

export const isGenAi = (name: string): boolean => name.startsWith('gen_ai.');
