import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffTexts, foldLines, pairItems } from './text-diff.ts';
import type { DiffLine } from './text-diff.ts';

const signs = { same: ' ', removed: '-', added: '+' };
/** A line with its sign; what differs in it is in brackets. */
const shown = ({ kind, parts }: DiffLine): string =>
  signs[kind] + parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');

test('a changed line is shown before and after, with the words that differ', () => {
  const lines = diffTexts('You are kind.\nBe brief.\nBye', 'You are kind.\nBe very brief.\nBye');
  expect(lines.map(shown)).toEqual([' You are kind.', '-Be brief.', '+Be [very ]brief.', ' Bye']);
});

test('added and removed lines are whole', () => {
  expect(diffTexts('a\nb', 'a\nb\nc').map(shown)).toEqual([' a', ' b', '+c']);
  expect(diffTexts('a\nb', 'b').map(shown)).toEqual(['-a', ' b']);
});

test('each side of a difference is that text again', () => {
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

test('texts with nothing in common do not take forever', () => {
  const lines = (name: string) =>
    Array.from({ length: 5000 }, (_, at) => `${name} ${at}`).join('\n');
  expect(diffTexts(lines('a'), lines('b'))).toHaveLength(10_000);
});

test('items that changed are paired between those that did not', () => {
  const pairs = pairItems(['a', 'b', 'c', 'd'], ['a', 'x', 'y', 'd', 'e'], (a, b) => a === b);
  expect(pairs).toEqual([
    ['a', 'a'],
    ['b', 'x'],
    ['c', 'y'],
    ['d', 'd'],
    [undefined, 'e'],
  ]);
});

test('long runs of unchanged lines are folded, all but three beside each change', () => {
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
