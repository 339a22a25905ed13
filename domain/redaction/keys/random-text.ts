/** Shares of characters that are of another kind than the one before them. */
const MIN_CHANGES = 0.38;
const MIN_CHANGES_WITH_DIGITS = 0.25;

const DIGIT = 1;

/** 0 for separators. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 3 : 0;
}

/**
 * Whether text in both cases looks generated. In random text, most characters are of another kind
 * (upper case, lower case, digit) than the one before them. In words and in names such as
 * `dataTableHeader2`, few are. 99 % of random texts of 22 characters pass, and more of longer ones.
 */
export function looksRandom(text: string): boolean {
  let changes = 0;
  let count = 0;
  let previous = 0;
  let hasDigits = false;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    if (kind === 0) continue;
    if (previous !== 0 && kind !== previous) changes += 1;
    if (kind === DIGIT) hasDigits = true;
    count += 1;
    previous = kind;
  }
  return changes >= count * (hasDigits ? MIN_CHANGES_WITH_DIGITS : MIN_CHANGES);
}
