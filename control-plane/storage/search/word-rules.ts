/** Adjacent words in this order. The last one may be a prefix. */
export interface Phrase {
  words: readonly string[];
  prefix: boolean;
}

/** The searched texts of a call. */
export interface SearchedTexts {
  model: string;
  task: string | null;
  prompt_preview: string;
  response_preview: string;
}

/** Only the first characters of each text are searched, so that one call cannot fill the index. */
export const SEARCHED_CHARACTERS = 50_000;

/** Longer words are truncated to this many characters. */
const WORD_CHARACTERS = 64;

/** Incremented with every change of the word rules, after which older indexes are rebuilt. */
export const WORDS_VERSION = 2;

// In scripts without spaces between words, and for pictographs, each character is a word, and
// adjacent ones are searched as a phrase.
const SINGLE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Regional_Indicator}`;
const WORD = new RegExp(String.raw`[${SINGLE}]\p{M}*|[[\p{L}\p{N}\p{M}]--[${SINGLE}]]+`, 'gv');

/**
 * Splits a text into words in the same way for both databases: runs of letters and digits, without
 * case and accents. They contain no database search syntax.
 */
export const wordsOf = (text: string): string[] => (folded(text).match(WORD) ?? []).map(shortened);

/** The folded value of each ASCII byte that is part of a word; zero if it separates words. */
const FOLDED_ASCII = Uint8Array.from({ length: 128 }, (_, byte) =>
  /[a-z0-9]/i.test(String.fromCharCode(byte))
    ? String.fromCharCode(byte).toLowerCase().charCodeAt(0)
    : 0,
);

/**
 * Finds the same words in ASCII text without a string for each: folds the case of the bytes in
 * place, and visits the start, end and hash of each word.
 */
export function eachAsciiWord(
  bytes: Uint8Array,
  length: number,
  visit: (start: number, end: number, hash: number) => void,
): void {
  for (let i = 0; i < length; i += 1) {
    const start = i;
    let hash = 0;
    for (; i < length; i += 1) {
      const folded = FOLDED_ASCII[bytes[i] as number] as number;
      if (folded === 0) break;
      if (i - start >= WORD_CHARACTERS) continue;
      bytes[i] = folded;
      hash = nextHash(hash, folded);
    }
    if (i > start) visit(start, Math.min(i, start + WORD_CHARACTERS), hash);
  }
}

const PRIME = 0x01000193;

/**
 * One step of the FNV hash: the hash of a word from the hash of its beginning and its next byte.
 */
const nextHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, PRIME);

export function hashOf(word: Uint8Array, length: number): number {
  let hash = 0;
  for (let i = 0; i < length; i += 1) hash = nextHash(hash, word[i] as number);
  return hash;
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

const MAX_PHRASES = 32;

/**
 * Parses a search query, of which every phrase must match. It consists of words, `"phrases"`, and
 * prefixes that end with `*`; everything else is literal. A word of several parts, such as `gpt-4o`
 * or an e-mail address, is a phrase. Only the first 32 phrases count.
 */
export function phrasesOf(query: string): Phrase[] {
  const parts = query.replace(/[“”„«»]/g, '"').matchAll(/"([^"]*)(?:"\*?|$)|[^\s"]+/g);
  const phrases: Phrase[] = [];
  for (const [whole, quoted] of parts) {
    const words = wordsOf(quoted ?? whole);
    if (words.length > 0) phrases.push({ words, prefix: /[^\s\p{P}\p{S}]"?\*"?$/u.test(whole) });
  }
  return phrases.slice(0, MAX_PHRASES);
}

/** The searched texts of a call; a phrase must be within one of them. */
export const searchedTexts = (call: SearchedTexts): string[] =>
  [call.model, call.task ?? '', call.prompt_preview, call.response_preview].map((text) =>
    text.slice(0, SEARCHED_CHARACTERS),
  );
