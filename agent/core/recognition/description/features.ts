/** A program's description of itself in its package or its manifest, or only its name. */
export interface Description {
  name: string;
  summary?: string;
  keywords?: readonly string[];
}

/** The maximum lengths in characters, which also limit the time. */
const MAX_NAME = 100;
const MAX_SUMMARY = 300;
const MAX_KEYWORDS = 40;

/**
 * The lengths of the word parts that are features, by which joined words are recognized: `gptme`,
 * `ollaguard`.
 */
const PART_LENGTHS = [4, 5];

const wordPattern = /[\p{L}\p{N}]+/gu;
const abbreviation = /^\p{Lu}{2,5}s?$/u;
/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * What a program says it does without: `no LLM`, `zero LLM calls`, `without an AI model`. A compound
 * such as `no-code` ends at its second word, and `no code` is one too: `no-code AI agents`.
 */
const disclaimed =
  /(?<![\p{L}\p{N}-])(?:no|non|zero|without)(?:-|\s+(?:(?:an?|any|more)\s+)?)(?!\p{N})(?:code\b|(?<=-)[\p{L}\p{N}]+|[\p{L}\p{N}]+(?:[\s-]+[\p{L}\p{N}]+)?)/giu;

/** Terms of other fields with a word that is usually about AI. Each is one word. */
const otherTerms =
  /\b(?:user[- ]agents?|agent[- ]based|multi[- ]agent (?:path|reinforcement|simulation)|(?:google|home|music|proof|shopping) assistants?)\b/gi;

/** Splits words that are joined with capitals: `WardenAI`, `Usage4Claude`. */
const spaced = (text: string): string =>
  text.replaceAll(
    /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{L})(?=\p{N})/gu,
    ' ',
  );

/** Returns the overlapping pairs of characters. */
const pairsOf = (word: string): string[] => {
  const characters = Array.from(word);
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
};

/** Returns the words that are joined with capitals, as they are written: `opencode` of `OpenCode`. */
const joinedIn = (text: string): string[] =>
  (text.match(wordPattern) ?? []).flatMap((word) =>
    spaced(word) === word ? [] : [word.toLowerCase()],
  );

function wordsOf(text: string): string[] {
  const words = spaced(text).match(wordPattern) ?? [];
  return words.flatMap((word) => (unspaced.test(word) ? pairsOf(word) : word));
}

/**
 * Returns the features of a description: its words in lower case, abbreviations as written, pairs
 * of neighboring words, its first and its last word, and, with a prefix, the words and parts of the
 * name, and the keywords.
 */
export function featuresOf({ name, summary = '', keywords = [] }: Description): Set<string> {
  const features = new Set<string>();
  const title = name.slice(0, MAX_NAME);
  for (const text of [title, summary.slice(0, MAX_SUMMARY)])
    for (const claim of text.split(disclaimed)) addWords(features, claim);
  for (const word of wordsOf(title)) features.add(`name:${word.toLowerCase()}`);
  for (const part of partsOf(title)) features.add(`part:${part}`);
  for (const keyword of keywords.slice(0, MAX_KEYWORDS))
    features.add(
      `keyword:${keyword
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_]+/g, '-')}`,
    );
  if (summary === '') features.add('no-summary');
  return features;
}

function addWords(features: Set<string>, text: string): void {
  const words = wordsOf(
    text.replaceAll(otherTerms, (term) => term.replaceAll(/[- ]/g, '').toLowerCase()),
  );
  for (const word of joinedIn(text)) features.add(word);
  for (const [i, word] of words.entries()) {
    const lower = word.toLowerCase();
    features.add(lower);
    if (abbreviation.test(word)) features.add(word);
    const next = words[i + 1];
    if (i === 0) features.add(`^${lower}`);
    features.add(next === undefined ? `${lower}$` : `${lower} ${next.toLowerCase()}`);
  }
}

function partsOf(name: string): string[] {
  const words = name.toLowerCase().match(wordPattern) ?? [];
  return words.flatMap((word) => {
    const bounded = `^${word}$`;
    return PART_LENGTHS.flatMap((length) =>
      Array.from({ length: Math.max(0, bounded.length - length + 1) }, (_, i) =>
        bounded.slice(i, i + length),
      ),
    );
  });
}
