/** Common labels, which a new label may also misspell. */
const common = ['production', 'staging', 'development', 'latest', 'canary', 'experiment'];

/** A label of which this one may be a misspelling. Existing labels are checked first. */
export function similarLabel(label: string, existing: readonly string[]): string | undefined {
  if (label === '' || existing.includes(label)) return undefined;
  const near = (other: string) => isNear(label.toLowerCase(), other.toLowerCase());
  return existing.find(near) ?? common.find((other) => other !== label && near(other));
}

/**
 * Whether two labels are similar. Short names and names that differ only in digits are not: `v1`
 * and `v2` are two labels.
 */
function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 4 || differOnlyInDigits(a, b)) return false;
  return distance(a, b) <= (shorter < 8 ? 1 : 2);
}

const differOnlyInDigits = (a: string, b: string): boolean =>
  a.replace(/\d+/g, '') === b.replace(/\d+/g, '');

/** The number of letters to insert, remove, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced, swapped));
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
