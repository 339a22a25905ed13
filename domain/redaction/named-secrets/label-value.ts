const MAX_PASSPHRASE_WORDS = 8;
const stopWord = /^(?:an?|and|are|be|for|if|in|is|must|not|of|or|the|to|with|your?)$/i;
const capitalized = /^\p{Lu}\p{Ll}+(?:-\p{Ll}+)*[.:…]?$/u;

/** Words with letters of other languages. */
const nonAscii = /^(?=.*[^ -~])(?:[\p{L}\p{M}\p{Cf}\s.,:;?!/"'()-]|(?![ -~])\p{P})+$/u;
const foreignLetters = /(?![ -~])[\p{L}\p{M}]/gu;
/**
 * Characters of Chinese, Japanese and Korean need an input method, which password fields switch off, so
 * a text with many of them is no password.
 */
const ideographs =
  /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}ー。、：]/gu;
const MIN_IDEOGRAPHS = 4;
const MAX_IDEOGRAPHS = 8;
/** A word with an elision, whose apostrophe is doubled in a file of properties: `L''utilisateur`. */
const elision = /^\p{Lu}?\p{Ll}{0,6}['’]{1,2}\p{Ll}{2,}$/u;
/** The word for password in other languages. */
const translated =
  /^(?:(?:passwort|kennwort|wachtwoord)[a-z]{0,12}|senha|contras\w+|palavra-chave|adgangskode|kodeord|passord|l[öo]senord|salasana|pasahitza|parol[ae]?|parool|has[lł]o|heslo|geslo|lozinka|jelsz[oó]|[sş]ifre|sandi|clave|wagwoord)$/i;

const translatedInWords = /\b(?:mots? de passe|palabra de paso|parola d['’]ordine)\b/i;

const textWord = /^[?!:;«»–—-]$|^[("'‘“]?[\p{L}'’/-]+[)"'”’]?[.,:;!?…]{0,3}$|^%[sd]\.?$|^\d{1,4}$/u;

/** A tag in a text of HTML. */
const tag = /<\/?[a-z][^<>]{0,80}>/gi;

/** A label, description or message: a capitalized word, a sentence, or the word in another language. */
export function isLabel(text: string): boolean {
  const value = text.replaceAll(tag, '');
  if (capitalized.test(value) || nonAscii.test(value)) return true;
  const words = value.trim().split(/\s+/);
  const isText = words.every((word) => textWord.test(word));
  const isTranslated =
    value.split(/[\s-]+/).some((word) => translated.test(word)) || translatedInWords.test(value);
  if (isTranslated && (isText || words.length < 4)) return true;
  return words.length > 1 && (isText ? isMessage(value, words) : isProse(words));
}

/** Words without digits or symbols are a passphrase only if they are no sentence or title. */
function isMessage(value: string, words: readonly string[]): boolean {
  if (/password|kennwort|wachtwoord|contrase/i.test(value)) return true;
  if (/pass|secret/i.test(value)) return words.length > 2 || /^\p{Lu}/u.test(value);
  if (isProse(words)) return true;
  const isTitle = words.length > 3 && words.every((word) => capitalized.test(word));
  return /^\p{Lu}[\p{Ll}\s]|\.$/u.test(value) && !isTitle;
}

const isProse = (words: readonly string[]): boolean =>
  words.length > MAX_PASSPHRASE_WORDS ||
  (words.length > 4 && words.filter((word) => stopWord.test(word)).length > 1);

const partialEscape = /\\u[\da-f]{0,3}$/i;
const unicodeEscape = /\\u[\da-f]{4}/gi;

/** Words of a language with other letters, also as escapes in a file of properties. */
export function isForeign(value: string): boolean {
  if (elision.test(value) || isOfOtherScript(value)) return true;
  if (translated.test(value)) return true;
  if (/^[\p{L}-]+$/u.test(value) && value.split('-').some((word) => translated.test(word)))
    return true;
  const letters = value.replace(partialEscape, '').replaceAll(unicodeEscape, 'é');
  return letters.includes('é') && letters !== value ? !/\d/.test(letters) : !/[!-~]/.test(value);
}

function isOfOtherScript(value: string): boolean {
  if (!/[^ -~]/.test(value)) return false;
  if (nonAscii.test(value.replaceAll(/ \d{1,4}(?= )/g, ''))) return true;
  const count = (pattern: RegExp): number => value.match(pattern)?.length ?? 0;
  if (/\s/.test(value) && count(foreignLetters) > value.length / 2) return true;
  return count(ideographs) >= Math.min(MAX_IDEOGRAPHS, Math.max(MIN_IDEOGRAPHS, value.length / 2));
}
