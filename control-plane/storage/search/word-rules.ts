/** Words that stand next to each other in this order; the last one may be only a beginning. */
export interface Phrase {
  words: readonly string[];
  prefix: boolean;
}

/** What of a call is searched. */
export interface SearchedTexts {
  model: string;
  task: string | null;
  prompt_preview: string;
  response_preview: string;
}

/** Only the first characters of each text are searched, so that one call cannot fill the index. */
export const SEARCHED_CHARACTERS = 50_000;

/** Longer words are told apart by so many characters. */
const WORD_CHARACTERS = 64;

/** Raised with every change of what a text's words are: an older index is then built anew. */
export const WORDS_VERSION = 2;

// Scripts that write no spaces between words, and pictures: there each character is a word, and
// several of them next to each other are searched as a phrase.
const SINGLE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Regional_Indicator}`;
const WORD = new RegExp(String.raw`[${SINGLE}]\p{M}*|[[\p{L}\p{N}\p{M}]--[${SINGLE}]]+`, 'gv');

/**
 * The words of a text as both databases index them: runs of letters and digits, without case and
 * without accents. They hold nothing that means something in a database's search syntax.
 */
export const wordsOf = (text: string): string[] => (folded(text).match(WORD) ?? []).map(shortened);

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Of each byte of ASCII what it is in a word; zero where it is in none. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, byte) =>
  /[a-z0-9]/i.test(String.fromCharCode(byte))
    ? String.fromCharCode(byte).toLowerCase().charCodeAt(0)
    : 0,
);

/**
 * The same words of a text that is ASCII, without a string for each: takes the case from the bytes,
 * and visits where in them each word begins and ends.
 */
export function eachAsciiWord(
  bytes: Uint8Array,
  length: number,
  visit: (start: number, end: number) => void,
): void {
  let start = -1;
  for (let i = 0; i < length; i += 1) {
    const inWord = IN_WORD[bytes[i] as number] as number;
    if (inWord !== 0) {
      bytes[i] = inWord;
      if (start < 0) start = i;
    } else if (start >= 0) {
      visit(start, Math.min(i, start + WORD_CHARACTERS));
      start = -1;
    }
  }
  if (start >= 0) visit(start, Math.min(length, start + WORD_CHARACTERS));
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();
}

const shortened = (word: string): string =>
  word.length <= WORD_CHARACTERS ? word : Array.from(word).slice(0, WORD_CHARACTERS).join('');

const MOST_PHRASES = 32;

/**
 * What a search asks for: every phrase must be there. Words, `"phrases"`, and beginnings of words
 * with `*` at their end; everything else is text. A word that is made of several, such as `gpt-4o`
 * or an e-mail address, is a phrase. Only the first 32 phrases count.
 */
export function phrasesOf(query: string): Phrase[] {
  const parts = query.replace(/[“”„«»]/g, '"').matchAll(/"([^"]*)(?:"\*?|$)|[^\s"]+/g);
  const phrases: Phrase[] = [];
  for (const [whole, quoted] of parts) {
    const words = wordsOf(quoted ?? whole);
    if (words.length > 0) phrases.push({ words, prefix: /[^\s\p{P}\p{S}]"?\*"?$/u.test(whole) });
  }
  return phrases.slice(0, MOST_PHRASES);
}

/** The texts of a call that are searched; a phrase stands in one of them. */
export const searchedTexts = (call: SearchedTexts): string[] =>
  [call.model, call.task ?? '', call.prompt_preview, call.response_preview].map((text) =>
    text.slice(0, SEARCHED_CHARACTERS),
  );
