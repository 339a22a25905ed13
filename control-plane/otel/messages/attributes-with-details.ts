import type { Attributes } from '../attributes.ts';
import { hasContent } from '../events.ts';
import type { OtelSpan } from '../span.ts';

/** The attributes of a span, merged with those of its event that carries prompt and response. */
export function attributesWithDetails({
  attributes,
  events,
}: Pick<OtelSpan, 'attributes' | 'events'>): Attributes {
  if (events.length === 0) return attributes;
  const details = events.filter((event) => hasContent(event, 'details'));
  if (details.length === 0) return attributes;
  return Object.assign({}, ...details.map((event) => event.attributes), attributes) as Attributes;
}
