/** Width in pixels of columns without a width. The first one identifies the row. */
const FIRST = 240;
const OTHER = 200;
/** Minimum width in pixels of a column whose width is a percentage. */
const SHARE = 140;

/**
 * The minimum width of a table in pixels. In a narrower container it scrolls instead of truncating
 * its columns further.
 */
export function minWidthOf(columns: readonly { width?: number | string }[]): number {
  let [pixels, shares, least] = [0, 0, 0];
  for (const [at, { width }] of columns.entries())
    if (typeof width === 'string') {
      const share = Number.parseFloat(width) / 100;
      shares += share;
      least = Math.max(least, SHARE / share);
    } else pixels += width ?? (at === 0 ? FIRST : OTHER);
  return Math.ceil(Math.max(least, pixels / (1 - shares)));
}
