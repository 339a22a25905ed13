import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyValues } from '#test/otel/spans.ts';
import { readAttributes } from './attributes.ts';

const read = (value: unknown) => readAttributes([{ key: 'a', value }]).a;
const nested = (levels: number): object =>
  levels === 0 ? { intValue: 1 } : { arrayValue: { values: [nested(levels - 1)] } };

test.each([
  ['text', { stringValue: 'x' }, 'x'],
  ['no text', { stringValue: '' }, ''],
  ['a flag', { boolValue: false }, false],
  ['a 64-bit number as text', { intValue: '42' }, 42],
  ['a number as such', { intValue: 42 }, 42],
  ['one that no double holds', { intValue: '9007199254740993' }, '9007199254740993'],
  ['a fraction', { doubleValue: 0.5 }, 0.5],
  ['not a number', { doubleValue: 'NaN' }, 'NaN'],
  ['bytes in JSON', { bytesValue: 'AQI=' }, 'AQI='],
  ['bytes in protobuf', { bytesValue: new Uint8Array([1, 2]) }, 'AQI='],
  ['a list', { arrayValue: { values: [{ stringValue: 'x' }, {}] } }, ['x', null]],
  ['members', { kvlistValue: { values: [{ key: 'k', value: { intValue: '1' } }] } }, { k: 1 }],
  ['nothing', {}, null],
  ['a null beside the value', { intValue: null, stringValue: 'x' }, 'x'],
  ['a value of another kind', { stringValue: 5 }, null],
  ['what is no value', 'x', null],
  ['an unknown kind', { complexValue: 1 }, null],
  ['a kind with the name of a method', { constructor: { deep: 1 } }, null],
  ['a kind with the name of the prototype', JSON.parse('{"__proto__": 1}'), null],
  ['a list that is none', { arrayValue: { values: 'x' } }, []],
  ['what a database cannot keep', { stringValue: 'a\0b\ud800' }, 'ab\ufffd'],
])('%s', (_name, value, expected) => {
  expect(read(value)).toEqual(expected);
});

test('names with a special meaning in JavaScript are plain names', () => {
  const attributes = readAttributes([{ key: '__proto__', value: { stringValue: 'x' } }]);
  expect(Object.entries(attributes)).toEqual([['__proto__', 'x']]);
});

test('nesting beyond the maximum depth becomes null', () => {
  expect(JSON.stringify(read(nested(20)))).toContain('1');
  expect(JSON.stringify(read(nested(5000)))).toMatch(/^\[+null\]+$/);
});

test('any input is accepted', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
  );
  const { value } = fc.letrec<{ value: never }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), tie('value'), { maxKeys: 3 }),
    ) as fc.Arbitrary<never>,
  }));
  fc.assert(
    fc.property(value, (sent) => {
      expect(readAttributes(keyValues({ sent })).sent).toEqual(sent);
    }),
  );
});
