interface Portions<Row extends After, After> {
  /** The rows after this one in order, at most `limit`. */
  read: (after: After | undefined, limit: number) => Promise<readonly Row[]>;
  keyOf: (row: Row) => string;
  /** Rows at once. */
  size: number;
  /** Rows in total. */
  most: number;
}

/**
 * Rows in order, a portion at a time, each once. Continues after the last one instead of at an
 * offset: rows that are added meanwhile shift nothing.
 */
export async function* inPortions<Row extends After, After>({
  read,
  keyOf,
  size,
  most,
}: Portions<Row, After>): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>();
  let after: Row | undefined;
  while (seen.size < most) {
    const limit = Math.min(size, most - seen.size);
    const portion = await read(after, limit);
    // A row whose value changed meanwhile may come again.
    const rows = portion.filter((row) => !seen.has(keyOf(row)));
    for (const row of rows) seen.add(keyOf(row));
    if (rows.length === 0) return;
    yield rows;
    after = portion.at(-1);
    if (portion.length < limit || after === undefined) return;
  }
}
