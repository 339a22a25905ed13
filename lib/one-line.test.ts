import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from './one-line.ts';

test.each([
  ['401 unauthorized', '401 unauthorized'],
  ['first\n  second\r\nthird', 'first second third'],
  ['red \u001b[31m text\u0000', 'red [31m text'],
  ['a\u001B[31mred\r\nb\u2028c\u202Ed ', 'a [31mred b c d'],
  ['key svc_sk_1 is not key svc_sk_1', 'key [secret] is not key [secret]'],
  ['x'.repeat(501), `${'x'.repeat(499)}…`],
])('%j becomes %j', (text, line) => {
  expect(oneLine(text, ['svc_sk_1'])).toBe(line);
});

test('never more than 500 characters, never a line break', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (text) => {
      const line = oneLine(text);
      expect(line.length).toBeLessThanOrEqual(500);
      expect(['\n', '\r', '\u0000', '\u001b'].some((odd) => line.includes(odd))).toBe(false);
    }),
  );
});
