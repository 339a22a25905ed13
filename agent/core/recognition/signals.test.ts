import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { confidenceOf, signalWeights, isSufficient, type SignalKind } from './signals.ts';

const of = (...kinds: SignalKind[]) => kinds.map((kind) => ({ kind, text: kind }));
const kinds = fc.constantFrom(...(Object.keys(signalWeights) as SignalKind[]));

test.each([
  ['nothing', of(), false, 0],
  ['a name', of('name'), false, 0.3],
  ['names only', of('name', 'name'), false, 0.3],
  ['a manifest alone', of('manifest'), false, 0.8],
  ['a name and a home', of('name', 'home'), false, 0.58],
  ['a manifest and a home', of('manifest', 'home'), false, 0.88],
  ['a name and a folder of its own', of('name', 'data'), true, 0.58],
  ['a name and a mark', of('name', 'mark'), true, 0.79],
  ['a bundle of the right id in the right place', of('location', 'manifest'), true, 0.92],
  ['a declared server', of('location', 'declaration'), true, 0.96],
])('the confidence of %s', (_, signals, enough, confidence) => {
  expect({ enough: isSufficient(signals), confidence: confidenceOf(signals) }).toEqual({
    enough,
    confidence,
  });
});

test('more signals never lower the confidence, and their order does not matter', () => {
  fc.assert(
    fc.property(fc.array(kinds), kinds, (some, more) => {
      const before = confidenceOf(of(...some));
      const after = confidenceOf(of(...some, more));
      expect(after).toBeGreaterThanOrEqual(before);
      expect(after).toBeLessThanOrEqual(1);
      expect(confidenceOf(of(...some.toReversed()))).toBe(before);
    }),
  );
});
