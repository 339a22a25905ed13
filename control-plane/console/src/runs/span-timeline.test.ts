import { array, assert, integer, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { layOut } from './span-timeline.ts';

const span = (position: number, duration_ms: number | null) => ({ position, duration_ms });

test('spans are laid end to end in order of position', () => {
  expect(layOut([span(2, 300), span(0, 100), span(1, null)])).toEqual([
    { index: 0, span: span(0, 100), bar: { from: 0, length: 0.25 } },
    { index: 1, span: span(1, null), bar: null },
    { index: 2, span: span(2, 300), bar: { from: 0.25, length: 0.75 } },
  ]);
});

test('spans without a duration are at the beginning', () => {
  expect(layOut([span(0, 0), span(1, 0)]).map(({ bar }) => bar)).toEqual([
    { from: 0, length: 0 },
    { from: 0, length: 0 },
  ]);
});

test('no bar leaves the timeline', () => {
  const spans = array(
    record({ position: integer(), duration_ms: option(integer({ min: 0, max: 1e9 })) }),
  );
  assert(
    property(spans, (spans) => {
      const ends = layOut(spans).map(({ bar }) => (bar ? bar.from + bar.length : 0));
      expect(Math.max(0, ...ends)).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});
