/** Is the one version such as `1.4.0` older than the other? What is no number counts as 0. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  const at = theirs.findIndex((number, index) => number !== (ours[index] ?? 0));
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

const numbersOf = (version: string): number[] =>
  (version.split(/[-+]/, 1)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);
