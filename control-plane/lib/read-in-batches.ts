interface BatchOptions<Row extends After, After> {
  /** Returns the rows after this one in order, at most `limit`. */
  read: (after: After | undefined, limit: number) => Promise<readonly Row[]>;
  keyOf: (row: Row) => string;
  /** The number of rows per batch. */
  size: number;
  /** The maximum number of rows in total. */
  max: number;
}

/**
 * Yields rows in order, one batch at a time, each row once. Each batch continues after the last
 * row instead of at an offset, so that rows added in the meantime do not shift the others.
 */
export async function* readInBatches<Row extends After, After>({
  read,
  keyOf,
  size,
  max,
}: BatchOptions<Row, After>): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>();
  let after: Row | undefined;
  while (seen.size < max) {
    const limit = Math.min(size, max - seen.size);
    const batch = await read(after, limit);
    // A row whose value changed in the meantime may be read again.
    const rows = batch.filter((row) => !seen.has(keyOf(row)));
    for (const row of rows) seen.add(keyOf(row));
    if (rows.length === 0) return;
    yield rows;
    after = batch.at(-1);
    if (batch.length < limit || after === undefined) return;
  }
}
