import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchedTexts } from './word-rules.ts';
import { type Block, entriesOf, keyOf } from './blocks.ts';
import { WordCollector } from './build.ts';
import { mergeBlocks } from './merge.ts';
import { packNumbers, unpackNumbers } from './numbers.ts';
import { segmentsToMerge } from './segments.ts';

test('numbers come back as they were', () => {
  const kinds = [
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat(255),
    fc.integer({ min: -70_000, max: 70_000 }),
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
    fc.maxSafeInteger(),
  ];
  fc.assert(
    fc.property(fc.oneof(...kinds.map((kind) => fc.array(kind, { minLength: 1 }))), (numbers) => {
      const all = { count: numbers.length, places: Int32Array.from(numbers.keys()) };
      expect([...unpackNumbers(packNumbers(numbers), all)]).toEqual(
        // The sign of a zero is not kept.
        numbers.map((number) => (number === 0 ? 0 : number)),
      );
    }),
  );
});

test('whole numbers take as many bytes as their distances need', () => {
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
  const gatherer = new WordCollector();
  for (const text of texts) gatherer.add(call(text));
  return gatherer.blocks();
};
const said = (blocks: readonly Block[]) =>
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

async function merged(parts: readonly { texts: string[]; places: number[] }[]): Promise<Block[]> {
  const sources = parts.map(({ texts, places }) => {
    const blocks = blocksOf(texts);
    return { places: Int32Array.from(places), next: () => Promise.resolve(blocks.shift()) };
  });
  const all: Block[] = [];
  for await (const block of mergeBlocks(sources)) all.push(block);
  return all;
}

test('segments that become one are what all their calls would have been, without those left out', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyTexts, { minLength: 1, maxLength: 5 }),
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      async (parts, leftOut) => {
        const kept: string[] = [];
        let number = 0;
        const sources = parts.map((texts) => ({
          texts,
          places: texts.map((text) => (leftOut[number++] ? -1 : kept.push(text) - 1)),
        }));
        expect(said(await merged(sources))).toEqual(said(blocksOf(kept)));
      },
    ),
  ));

test('many words and long lists are cut into blocks, in order, and found again', async () => {
  const texts = Array.from({ length: 3000 }, (_, i) => `every n${i} n${i % 7} every`);
  const whole = blocksOf(texts);
  expect(whole.length).toBeGreaterThan(3);
  for (const { words } of whole) expect(words.length).toBeLessThan(20_000);
  const places = (from: number) => Array.from({ length: 1500 }, (_, i) => from + i);
  const halves = [
    { texts: texts.slice(0, 1500), places: places(0) },
    { texts: texts.slice(1500), places: places(1500) },
  ];
  expect(said(await merged(halves))).toEqual(said(whole));
});

test('however many calls come, there are few segments, and none is too large', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 200, maxLength: 2000 }),
      (batches) => {
        let segments: { id: number; calls: number; first_id: number; last_id: number }[] = [];
        for (const [id, calls] of batches.entries()) {
          segments.push({ id, calls, first_id: id, last_id: id });
          for (let some = segmentsToMerge(segments); some.length > 1;) {
            const together = some.reduce((sum, one) => sum + one.calls, 0);
            expect(together).toBeLessThanOrEqual(65_536);
            segments = segments.filter((one) => !some.includes(one));
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
