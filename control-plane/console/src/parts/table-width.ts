/** Pixels of a column without a width of its own; the first one names the row. */
const FIRST = 240;
const OTHER = 200;
/** Pixels of a column with a share of the table's width. */
const SHARE = 140;

/** Pixels below which a table with these columns scrolls instead of clipping them further. */
export function leastWidthOf(columns: readonly { width?: number | string }[]): number {
  let [pixels, shares, least] = [0, 0, 0];
  for (const [at, { width }] of columns.entries())
    if (typeof width === 'string') {
      const share = Number.parseFloat(width) / 100;
      shares += share;
      least = Math.max(least, SHARE / share);
    } else pixels += width ?? (at === 0 ? FIRST : OTHER);
  return Math.ceil(Math.max(least, pixels / (1 - shares)));
}
