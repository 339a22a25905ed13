interface Timed {
  position: number;
  duration_ms: number | null;
}

export interface Bar<S> {
  /** Index in order of position. */
  index: number;
  span: S;
  /** Start and length as fractions of the total, 0 to 1; null without a recorded duration. */
  bar: { from: number; length: number } | null;
}

/**
 * Spans in order of position, laid end to end, because they are recorded with a duration but
 * without a start time.
 */
export function layOut<S extends Timed>(spans: readonly S[]): Bar<S>[] {
  const ordered = spans.toSorted((a, b) => a.position - b.position);
  const total = ordered.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0);
  let elapsed = 0;
  return ordered.map((span, index) => {
    if (span.duration_ms === null) return { index, span, bar: null };
    const from = elapsed;
    elapsed += span.duration_ms;
    // Avoids a division by zero if no span has a duration.
    const whole = Math.max(total, 1);
    return { index, span, bar: { from: from / whole, length: span.duration_ms / whole } };
  });
}
