const MIN_CHANGES = 1 / 3;

/** 0 for separators. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 3 : 0;
}

/**
 * Whether text of both cases looks generated. In random text, most characters are of another kind
 * (upper case, lower case, digit) than the one before them. In words and in names such as
 * `buttonGroup2` and `Data-Table`, few are.
 */
export function looksRandom(text: string): boolean {
  let changes = 0;
  let count = 0;
  let previous = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    if (kind === 0) continue;
    if (previous !== 0 && kind !== previous) changes += 1;
    count += 1;
    previous = kind;
  }
  return changes >= count * MIN_CHANGES;
}
