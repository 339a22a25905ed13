import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bestFacts,
  fromBytes,
  hasTags,
  type Ranked,
  scored,
  similarityOf,
  toBytes,
  unitVector,
} from './recall-rules.ts';

const similarity = fc.double({ min: -1, max: 1, noNaN: true });
const importance = fc.double({ min: 0, max: 1, noNaN: true });
const facts = fc
  .array(fc.record({ similarity, importance }), { maxLength: 30 })
  .map((all) => all.map((fact, index) => scored({ id: `mem_${100 + index}`, ...fact })));

describe('ranking', () => {
  test('does not depend on the order or batching of facts', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 1, max: 10 }), fc.nat(29), (all, limit, cut) => {
        const whole = bestFacts(all, limit);
        expect(bestFacts(all.toReversed(), limit)).toEqual(whole);
        const pieces = [all.slice(cut), all.slice(0, cut)];
        const merged = pieces.reduce<Ranked[]>(
          (top, piece) => bestFacts([...top, ...piece], limit),
          [],
        );
        expect(merged).toEqual(whole);
      }),
    );
  });

  test('ranks the more important fact no lower at equal similarity', () => {
    fc.assert(
      fc.property(similarity, importance, importance, (similarity, one, other) => {
        fc.pre(one !== other);
        const ranked = bestFacts(
          [
            scored({ id: 'mem_1', similarity, importance: one }),
            scored({ id: 'mem_2', similarity, importance: other }),
          ],
          2,
        );
        expect(ranked.map((fact) => fact.importance)).toEqual([one, other].sort((a, b) => b - a));
      }),
    );
  });

  test('ranks the more similar fact no lower at equal importance', () => {
    fc.assert(
      fc.property(importance, similarity, similarity, (importance, one, other) => {
        // This skips similarities that are too close for the rounding.
        fc.pre(Math.abs(one - other) > 1e-9);
        const [first] = bestFacts(
          [
            scored({ id: 'mem_1', similarity: one, importance }),
            scored({ id: 'mem_2', similarity: other, importance }),
          ],
          1,
        );
        expect(first?.similarity).toBe(Math.max(one, other));
      }),
    );
  });
});

describe('similarity', () => {
  const vector = fc.array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), {
    minLength: 8,
    maxLength: 8,
  });
  const far = vector.filter((numbers) => numbers.some((number) => Math.abs(number) > 1e-300));

  test('is 1 for itself, -1 for its opposite, and symmetric, at any length', () => {
    fc.assert(
      fc.property(far, far, (one, other) => {
        const [a, b] = [unitVector(one), unitVector(other)];
        const opposite = unitVector(one.map((number) => -number));
        expect(similarityOf(a, a)).toBeCloseTo(1, 5);
        expect(similarityOf(a, opposite)).toBeCloseTo(-1, 5);
        expect(similarityOf(a, b)).toBe(similarityOf(b, a));
      }),
    );
  });

  test.each([
    [[1, 0], [0, 1], 0],
    [[1, 1], [1, 0], Math.SQRT1_2],
    [[2, 0], [9, 0], 1],
    [[0, 0], [1, 0], 0],
    [[1e308, 1e308], [1e-308, 0], Math.SQRT1_2],
  ])('the similarity of %j and %j', (one, other, expected) => {
    expect(similarityOf(unitVector(one), unitVector(other))).toBeCloseTo(expected, 6);
  });
});

test('bytes can be read at any alignment', () => {
  const vector = unitVector([1, -2, 3.5]);
  const shifted = Buffer.concat([Buffer.alloc(1), toBytes(vector)]).subarray(1);
  expect(fromBytes(shifted)).toEqual(vector);
});

test('all required tags must be present', () => {
  expect([[], ['a'], ['a', 'b'], ['c']].map((wanted) => hasTags(['a', 'b'], wanted))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
