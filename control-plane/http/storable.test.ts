import { expect, test } from 'vitest';
import { findProtoMember, findUnstorable } from './storable.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : { in: nested(depth - 1) });

test.each([
  ['plain', undefined],
  [{ a: ['x', { b: '😀' }], n: 1, z: null }, undefined],
  [nested(99), undefined],
  ['a\0b', 'body: contains a NUL character'],
  [{ a: ['x', { b: '\ud800' }] }, 'body.a[1].b: contains a lone surrogate'],
  [{ 'a\0': 1 }, 'body: a key: contains a NUL character'],
  [JSON.parse('{"a": [1e308, -1e308, -0]}'), undefined],
  [JSON.parse('1e999'), 'body: number out of range'],
  [JSON.parse('{"a": [1, {"b": -1e999}]}'), 'body.a[1].b: number out of range'],
  [nested(101), `body${'.in'.repeat(100)}: nested more than 100 levels deep`],
])('%j', (value, expected) => {
  expect(findUnstorable(value, 'body')).toBe(expected);
});

test.each([
  ['{"a": [{"b": {"__proto__": 1}}]}', 'body.a[0].b.__proto__: a member cannot have this name'],
  ['{"__proto__": {}}', 'body.__proto__: a member cannot have this name'],
  ['{"a": ["__proto__"], "constructor": 1}', undefined],
])('the member in %s that schemas would drop is named', (text, expected) => {
  expect(findProtoMember(JSON.parse(text), 'body')).toBe(expected);
});
