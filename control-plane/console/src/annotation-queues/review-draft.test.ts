import { expect, test } from 'vitest';
import type { ScoreConfig } from '../data/annotation-queue-sources.ts';
import {
  boundsText,
  draftOfGiven,
  givenScoresOf,
  optionOfKey,
  reviewKeyOf,
} from './review-draft.ts';

const quality: ScoreConfig = { name: 'quality', data_type: 'numeric' };
const polite: ScoreConfig = { name: 'polite', data_type: 'boolean' };
const tone: ScoreConfig = { name: 'tone', data_type: 'categorical', values: ['warm', 'cold'] };

test('values are sent as the type of their score, and only those that are given', () => {
  const draft = { quality: '0', polite: 'false', tone: '', gone: '1' };
  expect(givenScoresOf([quality, polite, tone], draft)).toEqual([
    { name: 'quality', value: 0 },
    { name: 'polite', value: false },
  ]);
});

test('scores given before are sent again unchanged', () => {
  const given = [
    { name: 'quality', value: -2.5 },
    { name: 'polite', value: true },
    { name: 'tone', value: 'cold' },
  ];
  expect(givenScoresOf([quality, polite, tone], draftOfGiven(given))).toEqual(given);
});

test.each([
  [polite, '1', 'true'],
  [polite, '2', 'false'],
  [polite, '3', undefined],
  [tone, '2', 'cold'],
  [tone, '0', undefined],
  [quality, '1', undefined],
])('$name: the key %s chooses %s', (config, key, expected) => {
  expect(optionOfKey(config, key)?.value).toBe(expected);
});

const plain = { ctrlKey: false, metaKey: false, altKey: false };
test.each([
  [{ key: '7' }, false, { kind: 'value', key: '7' }],
  [{ key: 's' }, false, { kind: 'skip' }],
  [{ key: 'c' }, false, { kind: 'comment' }],
  [{ key: 's' }, true, undefined],
  [{ key: '7' }, true, undefined],
  [{ key: 's', ctrlKey: true }, false, undefined],
  [{ key: 'Enter', ctrlKey: true }, true, { kind: 'complete' }],
  [{ key: 'Enter', metaKey: true }, false, { kind: 'complete' }],
  [{ key: 'Enter' }, false, undefined],
])('%j, typing %s', (press, typing, expected) => {
  expect(reviewKeyOf({ ...plain, ...press }, typing)).toEqual(expected);
});

test.each([
  [{ min: 1, max: 5 }, '1 to 5'],
  [{ min: 0 }, 'at least 0'],
  [{ max: 0 }, 'at most 0'],
  [{}, undefined],
])('bounds %j are shown as %s', (bounds, expected) => {
  expect(boundsText({ ...quality, ...bounds })).toBe(expected);
});
