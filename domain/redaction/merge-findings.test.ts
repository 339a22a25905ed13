import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFindings, type TypedFinding } from './merge-findings.ts';

const at = (start: number, end: number, type: string): TypedFinding => ({ start, end, type });

test.each([
  ['apart', [at(5, 9, 'B'), at(0, 5, 'A')], [at(0, 5, 'A'), at(5, 9, 'B')]],
  ['the longest names', [at(0, 4, 'A'), at(2, 9, 'B')], [at(0, 9, 'B')]],
  ['equally long: the first given', [at(3, 6, 'A'), at(1, 4, 'B')], [at(1, 6, 'A')]],
  ['one within another', [at(2, 4, 'A'), at(0, 9, 'B')], [at(0, 9, 'B')]],
  ['a chain', [at(0, 3, 'A'), at(2, 6, 'B'), at(5, 7, 'C')], [at(0, 7, 'B')]],
  ['none', [], []],
])('%s', (_, findings, expected) => {
  expect(mergeFindings(findings)).toEqual(expected);
});

const finding = fc
  .tuple(fc.nat(40), fc.integer({ min: 1, max: 12 }), fc.constantFrom('A', 'B', 'C'))
  .map(([start, length, type]) => at(start, start + length, type));

test('covers every finding, in order and without overlap', () => {
  fc.assert(
    fc.property(fc.array(finding), (findings) => {
      const merged = mergeFindings(findings);
      const covered = (list: readonly TypedFinding[]) =>
        new Set(
          list.flatMap(({ start, end }) =>
            Array.from({ length: end - start }, (_, i) => start + i),
          ),
        );
      expect(covered(merged)).toEqual(covered(findings));
      for (const [index, { start }] of merged.entries())
        expect(start).toBeGreaterThanOrEqual(merged[index - 1]?.end ?? 0);
    }),
  );
});
