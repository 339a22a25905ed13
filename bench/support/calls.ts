/** Generates realistic LLM calls, the same in every run, with a fixed seed. */

const MODELS: readonly (readonly [model: string, weight: number])[] = [
  ['gpt-4o', 30],
  ['gpt-4o-mini', 25],
  ['claude-sonnet-4-5', 18],
  ['claude-haiku-4-5', 10],
  ['gemini-2.5-flash', 8],
  ['gemini-2.5-pro', 4],
  ['mistral-large-latest', 3],
  ['our-own-7b', 2],
];
const TASKS = ['classify', 'summarise', 'answer', 'extract', 'plan', 'review'];
const WORDS =
  'the customer order invoice was late and we would like to know when it will arrive please answer in a friendly tone with a short list of next steps including refund policy account number shipping address'.split(
    ' ',
  );

export interface BenchCall {
  model: string;
  task: string;
  tokens_in: number;
  tokens_out: number;
  prompt_preview: string;
  response_preview: string;
}

export type Random = () => number;

/** Mulberry32, a generator of numbers that are uniform in [0, 1). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T;

function pickModel(random: Random): string {
  let left = random() * 100;
  for (const [model, weight] of MODELS) if ((left -= weight) < 0) return model;
  return 'gpt-4o';
}

export function textOf(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${pick(random, WORDS)} `;
  return text.slice(0, length);
}

/** Creates a call whose two texts together have `bytes` bytes. */
export function newCall(random: Random, bytes: number): BenchCall {
  return {
    model: pickModel(random),
    task: pick(random, TASKS),
    tokens_in: 50 + Math.floor(random() ** 3 * 8000),
    tokens_out: 10 + Math.floor(random() ** 2 * 1200),
    prompt_preview: textOf(random, Math.floor(bytes * 0.6)),
    response_preview: textOf(random, Math.floor(bytes * 0.4)),
  };
}
