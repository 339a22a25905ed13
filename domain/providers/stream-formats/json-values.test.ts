import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonValues } from './json-values.ts';

const dataOf = (text: string) => readJsonValues(text).map(({ data }) => data);

test.each([
  ['lines', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['lines with CRLF and blank ones', '{"a":1}\r\n\r\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ['no lines', '{"a":1}{"a":2}', [{ a: 1 }, { a: 2 }]],
  ['a list', '[{"a":1}\n,\r\n{"a":2}\n]', [{ a: 1 }, { a: 2 }]],
  ['a list that is cut off', '[{"a":1},{"a":', [{ a: 1 }]],
  ['a line that is cut off', '{"a":1}\n{"a":"x', [{ a: 1 }]],
  ['brackets and quotes in strings', '{"a":"}]\\"{"}{"b":1}', [{ a: '}]"{' }, { b: 1 }]],
  ['RFC 7464', '\u001E{"a":1}\n\u001E{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['an empty list', '[]', []],
  ['text', 'hello {"a":1}', []],
  ['lists within a list', '[[1,2],[3]]', [[1, 2], [3]]],
  ['what is no JSON between brackets is left out', '{a}{"a":1}', [{ a: 1 }]],
])('%s', (_name, text, values) => {
  expect(dataOf(text)).toEqual(values);
});

test('finds all objects that were written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
      fc.constantFrom('', '\n', '\r\n'),
      (values, divider) => {
        const texts = values.map((value) => JSON.stringify(value));
        const expected = values.map((_, i): unknown => JSON.parse(texts[i]!));
        expect(dataOf(texts.join(divider))).toEqual(expected);
        expect(dataOf(`[${texts.join(`,${divider}`)}]`)).toEqual(expected);
      },
    ),
  );
});
