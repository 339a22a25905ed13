import type { Json } from './attributes.ts';
import { fieldOf, numberOf, parsed, textOf } from './field.ts';
import { attributesWithDetails, hasContent } from './events.ts';
import { eventBody } from './messages/prompt.ts';
import { isObject } from './messages/read-message.ts';
import type { OtelSpan } from './span.ts';

const MAX_LENGTH = 200;
/** One day. A larger value is not a time to the first token. */
const MAX_MS = 24 * 3_600_000;

/**
 * Returns why the response ended; for several choices, their distinct reasons. By the conventions
 * they are an attribute; Strands, for example, only has them in each choice.
 */
export function finishReasonOf(span: Pick<OtelSpan, 'attributes' | 'events'>): string | null {
  const value = parsed(fieldOf(span.attributes, 'finishReason')) ?? reasonsOfChoices(span);
  const list = (Array.isArray(value) ? value : [value]).filter(isText);
  const reasons = new Set(list.map(withoutEnum));
  return reasons.size === 0 ? null : [...reasons].join(', ').slice(0, MAX_LENGTH).toWellFormed();
}

function reasonsOfChoices(span: Pick<OtelSpan, 'attributes' | 'events'>): Json[] {
  const messages = parsed(attributesWithDetails(span)['gen_ai.output.messages']);
  const choices = span.events.flatMap((event) =>
    hasContent(event, 'choice') ? eventBody(event.attributes) : [],
  );
  return [...(Array.isArray(messages) ? messages : []), ...choices].flatMap((choice) =>
    isObject(choice) ? (choice.finish_reason ?? []) : [],
  );
}

const isText = (value: Json | undefined): value is string =>
  typeof value === 'string' && value !== '';

/** Converts a member of an enumeration as printed by Python: `FinishReason.STOP` is `stop`. */
const withoutEnum = (reason: string): string =>
  reason.startsWith(PRINTED) ? reason.slice(PRINTED.length).toLowerCase() : reason;
const PRINTED = 'FinishReason.';

/**
 * Returns the milliseconds from the start of the span to the first part of the response; null if
 * unknown.
 */
export function timeToFirstTokenOf({
  attributes,
  started_at,
}: Pick<OtelSpan, 'attributes' | 'started_at'>): number | null {
  const seconds = numberOf(attributes, 'secondsToFirstToken', MAX_MS / 1000);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const ms = numberOf(attributes, 'msToFirstToken', MAX_MS);
  if (ms !== undefined) return Math.round(ms);
  const firstTokenAt = textOf(attributes, 'firstTokenAt');
  if (firstTokenAt === undefined) return null;
  const after = Date.parse(unquoted(firstTokenAt)) - started_at;
  return after >= 0 && after <= MAX_MS ? after : null;
}

/** Removes the quotes of times that Langfuse writes as JSON. */
const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');
