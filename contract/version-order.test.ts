import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, versionKey } from './version-order.ts';

test.each([
  [['1.9', '1.10', '1.10.1', '2']],
  [['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0']],
  [['2.0.dev1', '2.0a1', '2.0b2', '2.0rc1', '2.0', '2.0.1']],
  [['1.0-nightly', 'v1.0', '1.0-1', '1.0.1']],
  [['22H2', '23H1', '23H2', '24H1']],
  [['2025.12.31', '2026.01.05', '2026.1.15', '2026.02']],
  [['1.1.1', '1.1.1a', '1.1.1w', '1.1.2']],
  [['0.0.9', '0.1', '9', '10', '99999999999999999998', '99999999999999999999']],
])('versions %j are in ascending order', (versions) => {
  expect(versions.toReversed().sort(compareVersions)).toEqual(versions);
  for (const [i, version] of versions.slice(1).entries())
    expect(compareVersions(versions[i] ?? '', version)).toBe(-1);
});

test.each([
  ['1.0', 'v1.0.0'],
  ['1', '1.0.0.0'],
  ['2026.01.05', '2026.1.5'],
  ['2026-01-05', '2026.1.5'],
  ['1.2.3', '1.2.3+build.7'],
  ['1.0.0-beta', '1.0-beta'],
  ['1.0-RC1', '1.0rc1'],
  ['0.0.0', '0'],
])('%s equals %s', (a, b) => {
  expect(compareVersions(a, b)).toBe(0);
});

test.each(['latest', '', 'insiders', null])('%j cannot be ordered', (version) => {
  expect(versionKey(version)).toBeNull();
});

const number = fc.nat({ max: 3000 });
const release = fc.array(number, { minLength: 1, maxLength: 5 });
const pre = fc.option(fc.tuple(fc.constantFrom('alpha', 'beta', 'rc'), number));
const known = fc.tuple(release, pre);
const textOf = ([numbers, before]: [number[], [string, number] | null]): string =>
  numbers.join('.') + (before ? `-${before.join('.')}` : '');

describe('the order', () => {
  test('compares numbers and sorts pre-releases before releases', () => {
    const padded = (numbers: number[]) => [0, 1, 2, 3, 4].map((i) => numbers[i] ?? 0);
    const before = ([, one]: [number[], [string, number] | null]) => one ?? ['~', 0];
    const parts = (one: [number[], [string, number] | null]) => [...padded(one[0]), ...before(one)];
    fc.assert(
      fc.property(known, known, (a, b) => {
        const [as, bs] = [parts(a), parts(b)];
        const at = as.findIndex((part, i) => part !== bs[i]);
        const [x, y] = [as[at] ?? 0, bs[at] ?? 0];
        const expected = at === -1 ? 0 : x < y ? -1 : 1;
        expect(compareVersions(textOf(a), textOf(b))).toBe(expected);
      }),
    );
  });

  test('is total for any texts, and keys contain only digits and lower-case letters', () => {
    const any = fc.oneof(fc.string({ maxLength: 100 }), known.map(textOf));
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(versionKey(a) ?? '').toMatch(/^[0-9a-z]*$/);
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
        const [x, y, z] = [a, b, c].sort(compareVersions) as [string, string, string];
        expect(compareVersions(x, z)).toBeLessThanOrEqual(0);
        expect(compareVersions(x, y)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
