import type { Attributes } from '#control-plane/otel/attributes.ts';
import type { OtelSpan } from '#control-plane/otel/span.ts';

/** A span with defaults for all fields that are not given. */
export const testSpan = (
  given: Partial<OtelSpan> & { attributes?: Attributes } = {},
): OtelSpan => ({
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  span_id: 'b7ad6b7169203331',
  parent_span_id: null,
  has_remote_parent: false,
  name: 'span',
  started_at: 1000,
  ended_at: 3000,
  position: 1_000_000,
  error: null,
  attributes: {},
  events: [],
  resource: {},
  scope: { name: 'test', version: '1' },
  ...given,
});
