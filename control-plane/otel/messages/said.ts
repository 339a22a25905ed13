import type { Attributes } from '../attributes.ts';
import { hasContent } from '../events.ts';
import type { OtelSpan } from '../span.ts';

/** Attributes of a span, with those of the event that tells what was said beside it. */
export function saidBy({
  attributes,
  events,
}: Pick<OtelSpan, 'attributes' | 'events'>): Attributes {
  const details = events.filter((event) => hasContent(event, 'details'));
  if (details.length === 0) return attributes;
  return Object.assign({}, ...details.map((event) => event.attributes), attributes) as Attributes;
}
