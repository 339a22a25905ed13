import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';

const redact = (text: string): string => redactText(text, builtinDetectors()).text;
const groups = [64790, 1234, 65535, 40000, 2, 777, 31337, 50505].map((number) =>
  String(number * 11).padStart(6, '0'),
);

test('a recovery password of BitLocker needs no name', () => {
  expect(redact(`Recovery Key: ${groups.join('-')}\n`)).toBe('Recovery Key: ##PASSWORD##\n');
});

test.each([
  ['a number that is no multiple of 11', groups.with(3, '440001')],
  ['a number that is too large', groups.with(3, '720896')],
  ['seven numbers', groups.slice(1)],
])('not found: %s', (_, others) => {
  expect(redact(`id ${others.join('-')}`)).not.toContain('PASSWORD');
});
