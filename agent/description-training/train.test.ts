import { expect, test } from 'vitest';
import { type Labelled, train } from './train.ts';

const about = (summary: string, ai: boolean): Labelled => ({ name: '', summary, ai });
const subjects = ['notes', 'mail', 'tabs', 'files', 'music'];
const examples = subjects.flatMap((subject) => [
  about(`chats about ${subject}`, true),
  about(`sorts ${subject}`, false),
]);

test('words of one kind get weights, and words of both kinds get none', () => {
  const { weights } = train(examples, { l1: 0.1 });
  expect(weights['chats']).toBeGreaterThan(0.5);
  expect(weights['sorts']).toBeLessThan(-0.5);
  expect(Object.keys(weights)).not.toContain('notes');
});

test('rare words get no weight', () => {
  const { weights } = train([...examples, about('chats rarely', true)], { l1: 0.01 });
  expect(Object.keys(weights)).toContain('chats');
  expect(Object.keys(weights)).not.toContain('rarely');
});

test('a larger penalty leaves fewer weights', () => {
  const sizes = [0.01, 0.5, 100].map(
    (l1) => Object.keys(train(examples, { l1, minCount: 1 }).weights).length,
  );
  expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes);
  expect(new Set(sizes).size).toBe(3);
  expect(sizes.at(-1)).toBe(0);
});

test('important examples outweigh others', () => {
  const biasWith = (importance: number): number =>
    train([{ ...about('asks people', true), importance }, about('asks people', false)]).bias;
  expect(biasWith(4)).toBeGreaterThan(biasWith(1));
});

test('the same examples give the same weights', () => {
  expect(train(examples)).toEqual(train(examples));
});

test('earlier weights stay unless the examples contradict them', () => {
  const prior = { bias: 0, weights: { keyword: 2, sorts: 1 } };
  const { weights } = train(examples, { l1: 0.01, prior });
  expect(weights['keyword']).toBe(2);
  expect(weights['sorts']).toBeLessThan(0);
});

test('a penalty keeps weights near the earlier ones', () => {
  const prior = { bias: 0, weights: { chats: 0.3, sorts: -0.2 } };
  expect(train(examples, { l1: 100, prior }).weights).toEqual(prior.weights);
});

test('a word that objects have as a property is an ordinary word', () => {
  const built = [about('constructor', true), about('constructor', true), about('sorts', false)];
  expect(train(built, { l1: 0.1, minCount: 1 }).weights['constructor']).toBeGreaterThan(0);
});
