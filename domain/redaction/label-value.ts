const MAX_PASSPHRASE_WORDS = 8;
const stopWord = /^(?:an?|and|are|be|for|if|in|is|must|not|of|or|the|to|with|your?)$/i;
const capitalized = /^\p{Lu}\p{Ll}+(?:-\p{Ll}+)*[.:…]?$/u;

/** Words with letters of other languages. */
const nonAscii = /^(?=.*[^ -~])[\p{L}\p{M}\p{Cf}\s.,:;?!¿¡'’()-]+$/u;
/** The word for password in other languages. */
const translated =
  /^(?:passwort|kennwort|wachtwoord|senha|contras\w+|palavra-chave|adgangskode|kodeord|passord|l[öo]senord|salasana|pasahitza|parol[ae]?|parool|has[lł]o|heslo|geslo|lozinka|jelsz[oó]|[sş]ifre|sandi|clave)$/i;

/** A label, description or message: a capitalized word, a sentence, or the word in another language. */
export function isLabel(value: string): boolean {
  if (capitalized.test(value) || nonAscii.test(value)) return true;
  const words = value.trim().split(/\s+/);
  if (words.length < 4 && value.split(/[\s-]+/).some((word) => translated.test(word))) return true;
  if (words.length === 1) return false;
  const isText = words.every((word) =>
    /^[("'‘“]?[\p{L}'’-]+[)"'’”]?[.,:;!?…]{0,3}$|^%[sd]\.?$|^\d{1,4}$/u.test(word),
  );
  if (isText && /pass|secret|kennwort|wachtwoord|contrase/i.test(value))
    return words.length > 2 || /^\p{Lu}/u.test(value);
  const isProse = words.length > 4 && words.filter((word) => stopWord.test(word)).length > 1;
  if (isProse || words.length > MAX_PASSPHRASE_WORDS) return true;
  const isTitle = words.length > 3 && words.every((word) => capitalized.test(word));
  return isText && /^\p{Lu}\p{Ll}/u.test(value) && !isTitle;
}

const partialEscape = /\\u[\da-f]{0,3}$/i;
const unicodeEscape = /\\u[\da-f]{4}/gi;

/** Words of a language with other letters, also as escapes in a file of properties. */
export function isForeign(value: string): boolean {
  if (nonAscii.test(value) || translated.test(value)) return true;
  const letters = value.replace(partialEscape, '').replaceAll(unicodeEscape, 'é');
  return letters.includes('é') && letters !== value ? !/\d/.test(letters) : !/[!-~]/.test(value);
}
