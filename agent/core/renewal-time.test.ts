import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { renewalTime } from './renewal-time.ts';

test.each([
  ['0000', 20_000],
  ['AB8000', 20_750],
  ['not hex', 20_000],
])('a certificate with serial %s and a life of 30,000 ms is renewed at %i', (serial, expected) => {
  expect(renewalTime({ serial, notBefore: 0, notAfter: 30_000 })).toBe(expected);
});

test('the renewal is always after two thirds of the life and well before its end', () => {
  const life = 30 * 86_400_000;
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 127n }), fc.nat(2e12), (serial, notBefore) => {
      const at = renewalTime({
        serial: serial.toString(16),
        notBefore,
        notAfter: notBefore + life,
      });
      expect(at - notBefore).toBeGreaterThanOrEqual((life * 2) / 3);
      expect(at - notBefore).toBeLessThan(life * 0.72);
    }),
  );
});
