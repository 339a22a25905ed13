import { pick, type Random } from './calls.ts';

/**
 * About the number of words that are in use in a language. A few of them make up half of a text.
 */
const VOCABULARY = 30_000;

const SYLLABLES = 'ka lo mi ter an shi ro ve del su pra ne bo ti gar u fen co ri lam'.split(' ');

const wordOf = (rank: number): string => {
  let word = '';
  for (let left = rank + 20; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length];
  return word;
};
const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));

/** Creates prose with the word frequencies of a language (Zipf), and unique numbers. */
export function proseOf(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    const rank = Math.floor(VOCABULARY ** random()) - 1;
    const isNumber = random() < 0.02;
    text += `${isNumber ? `id-${Math.floor(random() * 1e9)}` : words[rank]} `;
  }
  return text.slice(0, length);
}

/** The searched words, with the share of calls that contain each of them. */
const SEARCHED = { frequentword: 0.91, mediumword: 0.005, rareword: 0.000_1 };

/** Creates a call that contains the searched words with their frequencies. */
export function newSearchedCall(random: Random, length: number) {
  const marks = Object.entries(SEARCHED).flatMap(([word, share]) =>
    random() < share ? [word] : [],
  );
  const model = pick(random, ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash']);
  return {
    model,
    task: pick(random, ['classify', 'summarise', 'answer']),
    tokens_in: 50 + Math.floor(random() ** 3 * 8000),
    tokens_out: 10 + Math.floor(random() ** 2 * 1200),
    prompt_preview: `${marks.join(' ')} ${proseOf(random, length * 0.6)}`,
    response_preview: proseOf(random, length * 0.4),
  };
}
