const HEADER = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Parses a W3C `traceparent` header. Returns undefined if it is invalid. */
export function readTraceparent(
  header: unknown,
): { traceId: string; parentSpanId: string } | undefined {
  const text = typeof header === 'string' ? header.trim().toLowerCase() : '';
  const [, traceId, parentSpanId] = HEADER.exec(text) ?? [];
  return traceId && parentSpanId ? { traceId, parentSpanId } : undefined;
}

/** Formats the header. Returns an empty string if the trace id does not conform to W3C. */
export const traceparentOf = (traceId: string, spanId: string): string =>
  /^[0-9a-f]{32}$/.test(traceId) ? `00-${traceId}-${spanId}-01` : '';

export const newTraceId = (): string => randomHex(16);
export const newSpanId = (): string => randomHex(8);

function randomHex(bytes: number): string {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
