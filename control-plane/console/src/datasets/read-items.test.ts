import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCsv } from './parse-csv.ts';
import { readItems } from './read-items.ts';

describe('CSV', () => {
  test.each<[string, string, string[][]]>([
    [
      'rows',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes, commas and line breaks', '"a ""x""","b,\nc"\r\n', [['a "x"', 'b,\nc']]],
    [
      'empty fields',
      'a,,\n,b,"",',
      [
        ['a', '', ''],
        ['', 'b', '', ''],
      ],
    ],
    ['empty lines', '\na\n\n\nb\n\n', [['a'], ['b']]],
    ['a byte order mark', '\uFEFFa', [['a']]],
    ['a quote within a field', 'a"b,c', [['a"b', 'c']]],
    ['nothing', '', []],
  ])('%s', (_what, text, rows) => {
    expect(parseCsv(text)).toEqual({ rows });
  });

  test.each([
    ['a quote that is not closed', 'a\n"b\nc', 'line 2: a quote is not closed'],
    [
      'text after a quote',
      'a\n"b"c',
      'line 2: expected a comma or a line break after a quoted field',
    ],
  ])('%s is rejected', (_what, text, error) => {
    expect(parseCsv(text)).toEqual({ error });
  });

  test('fields written with quotes are read back unchanged', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ') });
    const rows = fc.array(fc.array(field, { minLength: 1 }).filter((row) => row.some(Boolean)));
    fc.assert(
      fc.property(rows, (rows) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        expect(parseCsv(text)).toEqual({ rows });
      }),
    );
  });
});

test('in a CSV file, every column except expected_output and metadata is a variable', () => {
  const text = 'question, tone ,expected_output,metadata\nWhy?,kind,Because,"{""n"":1}"\nHow?\n';
  expect(readItems('a.CSV', text)).toEqual({
    items: [
      { input: { question: 'Why?', tone: 'kind' }, expected_output: 'Because', metadata: { n: 1 } },
      { input: { question: 'How?', tone: '' }, expected_output: null, metadata: {} },
    ],
  });
});

test('each line of a JSON Lines file is an item', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const lines = [
    { input: { q: 1 }, expected_output: { a: [1] }, metadata: { n: 1 } },
    { input: messages },
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n\n')}\r\n`;
  expect(readItems('a.jsonl', text)).toEqual({
    items: [
      { input: { q: 1 }, expected_output: { a: [1] }, metadata: { n: 1 } },
      { input: messages, expected_output: null, metadata: {} },
    ],
  });
});

test.each([
  ['a.csv', '', 'The file is empty.'],
  ['a.csv', 'a,b', 'The file has no items.'],
  ['a.csv', 'a,\n1,2', 'A column of the header has no name.'],
  ['a.csv', 'a,a\n1,2', 'The header has two columns "a".'],
  ['a.csv', 'a\n1,2', 'Row 1 has 2 fields, the header 1.'],
  ['a.csv', 'a,metadata\n1,x', 'Row 1: metadata is not a JSON object.'],
  ['a.csv', '"a', 'The file is not CSV: line 1: a quote is not closed.'],
  ['a.jsonl', '', 'The file has no items.'],
  ['a.jsonl', '{"input":{}}\nx', 'Line 2 is not a JSON object.'],
  ['a.jsonl', '[1]', 'Line 1 is not a JSON object.'],
  ['a.jsonl', '{"input":"x"}', 'Line 1: input is neither an object with variables nor messages.'],
  ['a.jsonl', '{"input":{},"metadata":[]}', 'Line 1: metadata is not a JSON object.'],
  [
    'a.jsonl',
    '{"input":{},"output":"x"}',
    'Line 1: unknown member "output", expected input, expected_output, metadata.',
  ],
  [
    'a.jsonl',
    '{"input":{}}\n'.repeat(10_001),
    'The file has 10001 items; a dataset may have 10000.',
  ],
])('%s is rejected: %#', (name, text, error) => {
  expect(readItems(name, text)).toEqual({ error });
});
