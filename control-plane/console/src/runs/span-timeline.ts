interface Timed {
  position: number;
  duration_ms: number | null;
}

export interface Bar<S> {
  /** Place in the order, from 0. */
  place: number;
  span: S;
  /** Shares of the whole, 0 to 1; null where no duration was recorded. */
  bar: { from: number; length: number } | null;
}

/**
 * Spans in order of position, laid end to end: they are recorded with a duration but without a
 * beginning.
 */
export function layOut<S extends Timed>(spans: readonly S[]): Bar<S>[] {
  const ordered = spans.toSorted((a, b) => a.position - b.position);
  const total = ordered.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0);
  let elapsed = 0;
  return ordered.map((span, place) => {
    if (span.duration_ms === null) return { place, span, bar: null };
    const from = elapsed;
    elapsed += span.duration_ms;
    // When all took no time, each is a mark at the beginning.
    const whole = Math.max(total, 1);
    return { place, span, bar: { from: from / whole, length: span.duration_ms / whole } };
  });
}
