import { assert, nat, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeDisplay } from './display.ts';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatCountInShort,
  formatDuration,
  formatEndpoint,
  formatExact,
  formatMoney,
  formatMoneyInShort,
  formatPercent,
  formatShortMoney,
  formatTime,
  formatVersion,
} from './format.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('bytes', () => {
  test.each([
    [null, '–'],
    [0, '0 B'],
    [812, '812 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [1234, '1.2 kB'],
    [9949, '9.9 kB'],
    [9950, '10 kB'],
    [34_200, '34 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [2_500_000_000, '2.5 GB'],
    [9e15, '9.0 PB'],
  ])('%s bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  test('a size below a thousand petabytes has at most three digits', () => {
    assert(
      property(nat({ max: 9e14 }), (bytes) => {
        expect(formatBytes(bytes)).toMatch(/^(\d{1,3}|\d\.\d) (B|kB|MB|GB|TB)$/);
      }),
    );
  });
});

test.each([
  [-5, '0 ms'],
  [0, '0 ms'],
  [340, '340 ms'],
  [999.7, '1.0 s'],
  [4200, '4.2 s'],
  [9999, '9.9 s'],
  [10_000, '10 s'],
  [42_900, '42 s'],
  [MINUTE, '1 min'],
  [3 * MINUTE + 12_000, '3 min 12 s'],
  [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
  [3 * DAY + 4 * HOUR + 5 * MINUTE, '3 d 4 h'],
])('a duration of %s ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

describe('ago', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  test.each([
    [0, 'just now'],
    [4999, 'just now'],
    [5000, '5 s ago'],
    [59_999, '59 s ago'],
    [MINUTE, '1 min ago'],
    [HOUR, '1 h ago'],
    [DAY, '1 d ago'],
    [30 * DAY, '30 d ago'],
    [31 * DAY, '21 Oct 2026'],
    [-3000, 'just now'],
    [-12 * DAY, 'in 12 d'],
    [-365 * DAY, '21 Nov 2027'],
  ])('%s ms before now is %s', (before, text) => expect(formatAgo(now - before, now)).toBe(text));
});

test.each([
  [0, '$0.00'],
  [0.000_04, '<$0.0001'],
  [0.0001, '$0.0001'],
  [0.0075, '$0.0075'],
  [0.012, '$0.0120'],
  [0.5, '$0.5000'],
  [0.999_96, '$1.00'],
  [1, '$1.00'],
  [1234.567, '$1,234.57'],
  [1_504_000, '$1,504,000.00'],
])('%s dollars are %s', (amount, text) => expect(formatMoney(amount)).toBe(text));

test('large amounts are shortened in cells', () => {
  expect([99_999.99, 150_250, 1_504_000].map(formatMoneyInShort)).toEqual([
    '$99,999.99',
    '$150.25K',
    '$1.50M',
  ]);
  expect([9_999_999, 12_345_678, 3_600_000_000].map(formatCountInShort)).toEqual([
    '9,999,999',
    '12.35M',
    '3.6B',
  ]);
});

test.each([
  [0, '0%'],
  [0.04, '<0.1%'],
  [4.25, '4.3%'],
  [100, '100%'],
])('%s percent are %s', (percentage, text) => expect(formatPercent(percentage)).toBe(text));

test.each([
  [0, '$0'],
  [0.02, '$0.02'],
  [0.30000000000000004, '$0.3'],
  [250, '$250'],
  [1_500_000, '$1.5M'],
])('a tick of %s dollars is %s', (amount, text) => expect(formatShortMoney(amount)).toBe(text));

test('times state their time zone, which can be switched to UTC', () => {
  const at = Date.parse('2026-11-21T14:30:05Z');
  expect(formatTime(at)).toMatch(/^\d\d:\d\d \S+/);
  changeDisplay({ timeZone: 'utc' });
  expect([formatTime(at), formatExact(at)]).toEqual(['14:30 UTC', '21 Nov 2026, 14:30:05 UTC']);
  changeDisplay({ timeZone: 'local' });
});

test.each([
  [3, 3, 'v3 applied'],
  [3, 2, 'v2 of v3, pending'],
  [3, 4, 'v4 applied'],
  [0, 0, 'v0 applied'],
])('target %s and applied %s: %s', (target, applied, text) =>
  expect(formatVersion(target, applied)).toBe(text),
);

test.each([
  ['10.0.0.1', 443, '10.0.0.1:443'],
  ['2606:4700::6810', 443, '[2606:4700::6810]:443'],
])('%s and %s are %s', (address, port, text) => expect(formatEndpoint(address, port)).toBe(text));

test('counts have thousands separators', () => expect(formatCount(1234567)).toBe('1,234,567'));
