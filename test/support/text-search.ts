/**
 * Searches bytes for many texts in one pass; returns the texts that occur. Each must have at least
 * three bytes.
 */
export function searchFor(texts: Iterable<string>): (bytes: Buffer) => string[] {
  const byBeginning = new Map<number, Map<string, Buffer>>();
  const begins = new Uint8Array(1 << 24);
  for (const text of texts) {
    const wanted = Buffer.from(text);
    const beginning = beginningAt(wanted, 0);
    begins[beginning] = 1;
    const others = byBeginning.get(beginning) ?? new Map<string, Buffer>();
    byBeginning.set(beginning, others.set(text, wanted));
  }
  return (bytes) => {
    const found = new Set<string>();
    for (let i = 0; i + 3 <= bytes.length; i += 1) {
      const beginning = beginningAt(bytes, i);
      if (begins[beginning] === 0) continue;
      for (const [text, wanted] of byBeginning.get(beginning) ?? [])
        if (
          bytes.compare(wanted, 0, wanted.length, i, Math.min(i + wanted.length, bytes.length)) ===
          0
        )
          found.add(text);
    }
    return [...found];
  };
}

const beginningAt = (bytes: Buffer, i: number): number =>
  ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
