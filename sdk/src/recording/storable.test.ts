import { expect, test } from 'vitest';
import { toStorable } from './storable.ts';

const circle: unknown[] = [];
circle.push(circle, 1);
const fail = (): never => {
  throw new Error('boom');
};
const shared = { n: 1 };
let deep: unknown = 'bottom';
for (let i = 0; i < 200; i += 1) deep = [deep];

test.each<[string, unknown, unknown]>([
  ['text that is cut in a pair', 'a\ud83d', 'a\ufffd'],
  ['NUL', 'a\0b', 'ab'],
  ['a bigint', 12n, '12'],
  ['no number', Number.POSITIVE_INFINITY, null],
  [
    'functions and symbols in an object',
    { f: () => 1, s: Symbol('s'), u: undefined, k: 1 },
    { k: 1 },
  ],
  ['nothing in a list', [undefined, 1], [null, 1]],
  ['an error', new RangeError('far'), { name: 'RangeError', message: 'far' }],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['no date', new Date(Number.NaN), null],
  ['a map', new Map([['k', new Set([1, 2])]]), { k: [1, 2] }],
  ['bytes', new Uint8Array(3), '[3 bytes]'],
  [
    'what throws when it is looked at',
    { ok: 1, bad: { toJSON: fail } },
    { ok: 1, bad: '[unreadable]' },
  ],
  ['a circle', circle, ['[circular]', 1]],
  ['the same twice, which is no circle', [shared, shared], [{ n: 1 }, { n: 1 }]],
  ['too many values', Array.from({ length: 100_001 }, () => 1), ['[too large]']],
])('%s', (_name, value, expected) => {
  expect(toStorable(value)).toEqual(expected);
});

test('values that are too deep are truncated', () => {
  expect(JSON.stringify(toStorable(deep))).toBe(`${'['.repeat(80)}"[too deep]"${']'.repeat(80)}`);
});

test('a densely connected graph is truncated', () => {
  const nodes = Array.from({ length: 30 }, (_, id) => ({ id, others: [] as unknown[] }));
  for (const node of nodes) node.others.push(...nodes);
  expect(JSON.stringify(toStorable(nodes)).length).toBeLessThan(5_000_000);
});
