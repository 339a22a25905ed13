/** The key a number of rows after (or before) a row; the ends stay. Without a row, the first. */
export function keyBeside(
  keys: readonly string[],
  current: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : keys.indexOf(current);
  if (at === -1) return keys[0];
  return keys[Math.min(keys.length - 1, Math.max(0, at + step))];
}
