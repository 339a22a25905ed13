/** Words that stand next to each other in this order; the last one may be only a beginning. */
export interface Phrase {
  words: readonly string[];
  prefix: boolean;
}

/** What of a call is searched. */
export interface SearchedTexts {
  tenant_id: string;
  model: string;
  task: string | null;
  prompt_preview: string;
  response_preview: string;
}

/** Of each text so many characters are searched: an index row has to stay well below a megabyte. */
export const SEARCHED_CHARACTERS = 50_000;

/** Longer words are told apart by so many characters. */
const WORD_CHARACTERS = 64;

/** Raised with every change of what a text's words are: an older index is then built anew. */
export const WORDS_VERSION = 1;

// Scripts that write no spaces between words, and pictures: there each character is a word, and
// several of them next to each other are searched as a phrase.
const SINGLE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Regional_Indicator}`;
const WORD = new RegExp(String.raw`[${SINGLE}]\p{M}*|[[\p{L}\p{N}\p{M}]--[${SINGLE}]]+`, 'gv');

/**
 * The words of a text as both databases index them: runs of letters and digits, without case and
 * without accents. They hold nothing that means something in a database's search syntax.
 */
export function wordsOf(text: string): string[] {
  return (folded(text).match(WORD) ?? []).map(shortened);
}

function folded(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII needs no normalisation, which is slow
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
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

// Not a word of any text: no phrase reaches from one text into the next.
const BETWEEN_TEXTS = '¦';

/**
 * A call as its row in the index: its words, separated by spaces. Each carries its tenant in front,
 * so that a search reads only what belongs to its tenant.
 */
export function indexedText(call: SearchedTexts): string {
  const tag = tagOf(call.tenant_id);
  return [call.model, call.task ?? '', call.prompt_preview, call.response_preview]
    .map((text) => wordsOf(text.slice(0, SEARCHED_CHARACTERS)))
    .filter((words) => words.length > 0)
    .map((words) => words.map((word) => tag + word).join(' '))
    .join(` ${BETWEEN_TEXTS} `);
}

/** The phrases as they stand in the index. */
export function phrasesIn(tenantId: string, phrases: readonly Phrase[]): Phrase[] {
  const tag = tagOf(tenantId);
  return phrases.map(({ words, prefix }) => ({ words: words.map((word) => tag + word), prefix }));
}

/**
 * Short, and for nearly all tenants different. Where two tenants share one, each pays a little for
 * the other's words; whose a call is the call itself says.
 */
function tagOf(tenantId: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < tenantId.length; i += 1)
    hash = Math.imul(hash ^ tenantId.charCodeAt(i), 0x01000193);
  return ((hash >>> 0) % 36 ** 5).toString(36).padStart(5, '0');
}
