/** Words that stand in examples where the key goes: `sk-your-key-here`, `ghp_xxxxxxxxxxxxxxxx`. */
const wording = /your[-_]?|x{5,}|\*{3,}|\.{3,}|placeholder|redacted|changeme|insert[-_]|dummy[-_]/i;

const FEWEST_CHARACTERS = 6;

/**
 * Is it an example rather than a key? Random text of this length mixes characters: it is not made of
 * a handful of them, and if it has parts they hold digits or both cases, as words do not.
 */
export function isExampleKey(body: string): boolean {
  if (wording.test(body)) return true;
  const isMixed = /\d/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body));
  if (!isMixed && /[-_. ]/.test(body)) return true;
  return isOfFewCharacters(body);
}

/** Most values can be ruled out by their first characters. */
function isOfFewCharacters(body: string): boolean {
  const seen = new Set<string>();
  for (const character of body) if (seen.add(character).size === FEWEST_CHARACTERS) return false;
  return true;
}
