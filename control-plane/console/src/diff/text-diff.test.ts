import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffTexts, foldLines, pairItems } from './text-diff.ts';
import type { DiffLine } from './text-diff.ts';

const signs = { same: ' ', removed: '-', added: '+' };
/** A diff line with its sign; changed words are in brackets. */
const shown = ({ kind, parts }: DiffLine): string =>
  signs[kind] + parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');

test('a changed line is shown before and after, with the changed words', () => {
  const lines = diffTexts('You are kind.\nBe brief.\nBye', 'You are kind.\nBe very brief.\nBye');
  expect(lines.map(shown)).toEqual([' You are kind.', '-Be brief.', '+Be [very ]brief.', ' Bye']);
});

test('added and removed lines are shown in full', () => {
  expect(diffTexts('a\nb', 'a\nb\nc').map(shown)).toEqual([' a', ' b', '+c']);
  expect(diffTexts('a\nb', 'b').map(shown)).toEqual(['-a', ' b']);
});

test('each side of a diff is the original text', () => {
  const text = fc
    .array(fc.constantFrom('a b', 'a c', '', 'd'), { minLength: 1 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffTexts(before, after);
      const side = (other: DiffLine['kind']) =>
        lines
          .filter(({ kind }) => kind !== other)
          .map(({ parts }) => parts.map((part) => part.text).join(''))
          .join('\n');
      expect(side('added')).toBe(before);
      expect(side('removed')).toBe(after);
    }),
  );
});

test('texts without any common line are compared in reasonable time', () => {
  const lines = (name: string) =>
    Array.from({ length: 5000 }, (_, at) => `${name} ${at}`).join('\n');
  expect(diffTexts(lines('a'), lines('b'))).toHaveLength(10_000);
});

test('changed items are paired between the unchanged ones', () => {
  const pairs = pairItems(['a', 'b', 'c', 'd'], ['a', 'x', 'y', 'd', 'e'], (a, b) => a === b);
  expect(pairs).toEqual([
    ['a', 'a'],
    ['b', 'x'],
    ['c', 'y'],
    ['d', 'd'],
    [undefined, 'e'],
  ]);
});

test('long runs of unchanged lines are collapsed, except for three lines next to each change', () => {
  const text = (middle: string) =>
    ['a b c d e f g h', middle, 'i j k l m'].join(' ').replaceAll(' ', '\n');
  const rows = foldLines(diffTexts(text('1'), text('2')));
  expect(rows.map((row) => ('folded' in row ? row.folded.length : shown(row.line)))).toEqual([
    5,
    ' f',
    ' g',
    ' h',
    '-[1]',
    '+[2]',
    ' i',
    ' j',
    ' k',
    2,
  ]);
});
