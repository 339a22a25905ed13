import { expect, test } from 'vitest';
import { findDropped, findUnstorable } from './storable.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : { in: nested(depth - 1) });

test.each([
  ['plain', undefined],
  [{ a: ['x', { b: '😀' }], n: 1, z: null }, undefined],
  [nested(99), undefined],
  ['a\0b', 'body: holds a NUL character'],
  [{ a: ['x', { b: '\ud800' }] }, 'body.a[1].b: holds half a surrogate pair'],
  [{ 'a\0': 1 }, 'body: a key: holds a NUL character'],
  [JSON.parse('{"a": [1e308, -1e308, -0]}'), undefined],
  [JSON.parse('1e999'), 'body: too large a number'],
  [JSON.parse('{"a": [1, {"b": -1e999}]}'), 'body.a[1].b: too large a number'],
  [nested(101), `body${'.in'.repeat(100)}: nested more than 100 levels deep`],
])('%j', (value, expected) => {
  expect(findUnstorable(value, 'body')).toBe(expected);
});

test.each([
  ['{"a": [{"b": {"__proto__": 1}}]}', 'body.a[0].b.__proto__: no member can have this name'],
  ['{"__proto__": {}}', 'body.__proto__: no member can have this name'],
  ['{"a": ["__proto__"], "constructor": 1}', undefined],
])('what schemas drop in %s is named', (text, expected) => {
  expect(findDropped(JSON.parse(text), 'body')).toBe(expected);
});
