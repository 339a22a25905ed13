import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader } from './bytes.ts';
import { type SearchedTexts, wordsOf } from './word-rules.ts';
import { type Block, entriesOf, keyOf } from './blocks.ts';
import { WordCollector } from './word-collector.ts';
import { mergeBlocks } from './merge.ts';
import { packNumbers, unpackNumbers } from './numbers.ts';
import { segmentsToMerge } from './segments.ts';

test('numbers round-trip', () => {
  const kinds = [
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat(255),
    fc.integer({ min: -70_000, max: 70_000 }),
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
    fc.maxSafeInteger(),
  ];
  fc.assert(
    fc.property(fc.oneof(...kinds.map((kind) => fc.array(kind, { minLength: 1 }))), (numbers) => {
      const all = { count: numbers.length, ordinals: Int32Array.from(numbers.keys()) };
      expect([...unpackNumbers(packNumbers(numbers), all)]).toEqual(
        // The sign of zero is lost.
        numbers.map((number) => (number === 0 ? 0 : number)),
      );
    }),
  );
});

test('whole numbers take as many bytes as the largest distance needs', () => {
  const bytesOf = (numbers: number[]) => (packNumbers(numbers).length - 16) / numbers.length;
  expect(bytesOf([1e12, 1e12 + 255])).toBe(1);
  expect(bytesOf([0, 256])).toBe(2);
  expect(bytesOf([0, 2 ** 32 - 1])).toBe(4);
  expect(bytesOf([0.000_001, 0.25])).toBe(4);
  expect(bytesOf([0, 1 / 3])).toBe(8);
});

const call = (text: string): SearchedTexts => ({
  model: 'm',
  task: null,
  prompt_preview: text,
  response_preview: '',
});
const blocksOf = (texts: readonly string[]): Block[] => {
  const collector = new WordCollector();
  for (const text of texts) collector.add(call(text));
  return collector.blocks();
};
const contentOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block) =>
    [...entriesOf(block)].map(({ word, calls, positions }) => ({
      word: keyOf(word),
      calls: [...calls],
      positions: [...positions],
    })),
  );

const anyTexts = fc.array(
  fc
    .array(fc.constantFrom('a', 'b', 'cat', 'ça', '東京', '🎉', 'x9', '\uffee'))
    .map((w) => w.join(' ')),
  { maxLength: 6 },
);

async function merged(parts: readonly { texts: string[]; ordinals: number[] }[]): Promise<Block[]> {
  const sources = parts.map(({ texts, ordinals }) => {
    const blocks = blocksOf(texts);
    return { ordinals: Int32Array.from(ordinals), next: () => Promise.resolve(blocks.shift()) };
  });
  const all: Block[] = [];
  for await (const block of mergeBlocks(sources)) all.push(block);
  return all;
}

test('merged segments equal one segment of all their calls without the dropped ones', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyTexts, { minLength: 1, maxLength: 5 }),
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      async (parts, leftOut) => {
        const remaining: string[] = [];
        let number = 0;
        const sources = parts.map((texts) => ({
          texts,
          ordinals: texts.map((text) => (leftOut[number++] ? -1 : remaining.push(text) - 1)),
        }));
        expect(contentOf(await merged(sources))).toEqual(contentOf(blocksOf(remaining)));
      },
    ),
  ));

/** Decodes blocks to words with the calls and positions in which they occur. */
const indexOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block) =>
    [...entriesOf(block)].map(({ word, calls, positions }) => {
      const [callReader, positionReader] = [new ByteReader(calls), new ByteReader(positions)];
      const occurrences: [call: number, positions: number[]][] = [];
      for (let call = 0; !callReader.isAtEnd;) {
        call += callReader.varint();
        let at = 0;
        const count = positionReader.varint();
        const ats = Array.from({ length: count }, () => (at += positionReader.varint()));
        occurrences.push([call, ats]);
      }
      return [Buffer.from(word).toString(), occurrences] as const;
    }),
  );

function expectedIndex(texts: readonly string[]) {
  const index = new Map<string, Map<number, number[]>>();
  texts.forEach((text, ordinal) => {
    // Positions count the model and its end, the empty task and its end, and then the prompt.
    [['m'], [], wordsOf(text)].reduce((at, words) => {
      words.forEach((word, i) => {
        const calls = index.get(word) ?? new Map<number, number[]>();
        index.set(word, calls.set(ordinal, [...(calls.get(ordinal) ?? []), at + i]));
      });
      return at + words.length + 1;
    }, 0);
  });
  return [...index]
    .map(([word, calls]) => [word, [...calls]] as const)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

test('a segment holds every word with all its positions, in byte order', () => {
  // Words are compared by their first four bytes at once, so words that share these are the
  // difficult ones.
  const word = fc.oneof(
    fc.constantFrom(
      'abc',
      'abcd',
      'abcde',
      'abcdef',
      'ABCDE',
      'abcd1',
      'x'.repeat(70),
      'çabc',
      '東京',
    ),
    fc.string({ unit: fc.constantFrom('a', 'b', 'ç'), minLength: 1, maxLength: 6 }),
  );
  const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      expect(indexOf(blocksOf(texts))).toEqual(expectedIndex(texts));
    }),
  );
});

test('many words and long postings are split into blocks, in order, and are found again', async () => {
  const texts = Array.from({ length: 3000 }, (_, i) => `every n${i} n${i % 7} every`);
  const whole = blocksOf(texts);
  expect(whole.length).toBeGreaterThan(3);
  for (const { words } of whole) expect(words.length).toBeLessThan(20_000);
  const ordinals = (from: number) => Array.from({ length: 1500 }, (_, i) => from + i);
  const halves = [
    { texts: texts.slice(0, 1500), ordinals: ordinals(0) },
    { texts: texts.slice(1500), ordinals: ordinals(1500) },
  ];
  expect(contentOf(await merged(halves))).toEqual(contentOf(whole));
});

test('no matter how many calls arrive, segments stay few and bounded in size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 200, maxLength: 2000 }),
      (batches) => {
        let segments: { id: number; calls: number; first_id: number; last_id: number }[] = [];
        for (const [id, calls] of batches.entries()) {
          segments.push({ id, calls, first_id: id, last_id: id });
          for (let some = segmentsToMerge(segments); some.length > 1;) {
            const together = some.reduce((sum, segment) => sum + segment.calls, 0);
            expect(together).toBeLessThanOrEqual(65_536);
            segments = segments.filter((segment) => !some.includes(segment));
            segments.push({ id, calls: together, first_id: id, last_id: id });
            some = segmentsToMerge(segments);
          }
        }
        const all = batches.reduce((sum, calls) => sum + calls, 0);
        expect(segments.length).toBeLessThan(7 * 5 + all / 16_384 + 1);
      },
    ),
    { numRuns: 20 },
  );
});
