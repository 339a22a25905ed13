import { expect, test } from 'vitest';
import { productExamples } from './product-names.ts';
import type { Labelled } from './train.ts';

const descriptions = (summary: string, ai: boolean, count: number): Labelled[] =>
  Array.from({ length: count }, (_, i) => ({ name: `program ${i}`, summary, ai }));

const namesIn = (examples: readonly Labelled[]): string[] => [
  ...new Set(examples.flatMap(({ name }) => (name === '' || name.includes(' ') ? [] : [name]))),
];

test('a name in several descriptions of AI programs becomes examples', () => {
  const examples = productExamples(descriptions('Sessions of AcmeBot', true, 3), ['AcmeBot']);
  expect(examples).toContainEqual({ name: 'AcmeBot', ai: true });
  expect(examples).toContainEqual({ name: '', summary: 'AcmeBot client', ai: true });
  expect(examples.every(({ ai }) => ai)).toBe(true);
});

test('a rare name is omitted', () => {
  expect(productExamples(descriptions('Sessions of AcmeBot', true, 2), ['AcmeBot'])).toEqual([]);
});

test('a name that is an ordinary word is omitted', () => {
  const mixed = [
    ...descriptions('Warp and acmebot', true, 9),
    ...descriptions('Threads of warp', false, 2),
    ...descriptions('Beside acmebot', false, 1),
  ];
  expect(namesIn(productExamples(mixed, ['Warp', 'AcmeBot']))).toEqual(['AcmeBot']);
});

test('a name of two words counts only as a pair', () => {
  const apart = descriptions('Acme notes and code', true, 5);
  expect(productExamples(apart, ['Acme Code'])).toEqual([]);
  expect(productExamples(descriptions('Acme Code usage', true, 5), ['Acme Code'])).not.toEqual([]);
});
