import { expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';
import { lookAlikes } from './testing/look-alikes.ts';
import { positives } from './testing/positives.ts';
import { randomOf } from './testing/random.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = (text: string): string => redactJson(text, rules).value;

const found = positives(randomOf(1)).map((positive) => ({
  ...positive,
  isHidden: !redacted(positive.text).includes(positive.secret),
}));
const clean = lookAlikes(randomOf(2), 5400);
const wronglyHidden = clean.filter((text) => redacted(text) !== text);

test('the corpus is large enough for meaningful rates', () => {
  expect(found.length).toBeGreaterThanOrEqual(2000);
  expect(clean.length).toBeGreaterThanOrEqual(5000);
});

test.each([
  ['by format', 0.99],
  ['by name', 0.95],
] as const)(
  'of the secrets of each type that are recognized %s, at least %d are found',
  (recognized, goal) => {
    const types = [
      ...new Set(found.filter((one) => one.recognized === recognized).map(({ type }) => type)),
    ];
    for (const type of types) {
      const all = found.filter((one) => one.recognized === recognized && one.type === type);
      const missed = all.filter(({ isHidden }) => !isHidden).map(({ text }) => text);
      const examples = missed.length > all.length * (1 - goal) ? missed.slice(0, 5) : [];
      expect({ type, examples }).toEqual({ type, examples: [] });
    }
  },
);

test('at least 98 % of what is redacted is a secret', () => {
  const right = found.filter(({ isHidden }) => isHidden).length;
  const share = right / (right + wronglyHidden.length);
  expect({ examples: share < 0.98 ? wronglyHidden.slice(0, 5) : [] }).toEqual({ examples: [] });
});
