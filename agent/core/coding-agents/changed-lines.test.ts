import { expect, test } from 'vitest';
import { linesOfEdits } from './changed-lines.ts';

test.each([
  ['', 'a\nb\n', { added: 2, removed: 0 }],
  ['a\nb', '', { added: 0, removed: 2 }],
  ['a\nb\nc\n', 'a\nx\nc\n', { added: 1, removed: 1 }],
  ['a\nb\nc\nd\ne', 'a\nx\nc\ny\nz\ne', { added: 3, removed: 2 }],
  ['a\nb', 'a\r\nb\r\n', { added: 0, removed: 0 }],
  ['a\na', 'a\na\na', { added: 1, removed: 0 }],
  ['x'.repeat(10), 'x'.repeat(10), { added: 0, removed: 0 }],
])('the edit from %j to %j changes these lines', (before, after, expected) => {
  expect(linesOfEdits([{ before, after }])).toEqual(expected);
});

test('a very long edit counts all lines between its first and its last change', () => {
  const long = (first: string): string =>
    [first, ...Array.from({ length: 1500 }, (_, index) => `line ${index}`), `end ${first}`].join(
      '\n',
    );
  expect(linesOfEdits([{ before: long('a'), after: long('b') }])).toEqual({
    added: 1502,
    removed: 1502,
  });
});

test('the comparisons of all edits together are limited', () => {
  const long = (first: string): string =>
    [first, ...Array.from({ length: 898 }, (_, index) => `line ${index}`), `end ${first}`].join(
      '\n',
    );
  const edit = { before: long('a'), after: long('b') };
  const small = { before: 'a\nb\nc', after: 'x\nb\ny' };
  expect(linesOfEdits([edit])).toEqual({ added: 2, removed: 2 });
  expect(linesOfEdits([edit, edit, small])).toEqual({ added: 904, removed: 904 });
});
