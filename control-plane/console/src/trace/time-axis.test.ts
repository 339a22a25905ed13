import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTrace, type TraceItem, type TraceNode } from '../runs/trace-tree.ts';
import {
  axisOf,
  markOf,
  panned,
  readZoom,
  ticksFor,
  ticksOf,
  zoomAround,
  zoomBetween,
  zoomedAxis,
  zoomText,
} from './time-axis.ts';

const nodeOf = (more: Partial<TraceItem>): TraceNode =>
  buildTrace([
    {
      kind: 'span',
      id: '1',
      run_id: 1,
      span_id: null,
      parent_span_id: null,
      name: 'x',
      started_at: null,
      recorded_at: new Date(0).toISOString(),
      duration_ms: null,
      status: 'ok',
      ...more,
    },
  ]).roots[0] as TraceNode;
const at = (ms: number) => ({ started_at: new Date(ms).toISOString() });
const axis = { from: 1000, length: 2000 };

test('the axis spans all records with a time, but not later policy verdicts', () => {
  const nodes = [
    nodeOf({ ...at(1500), duration_ms: 1500 }),
    nodeOf({ ...at(1000), duration_ms: 100 }),
    nodeOf({}),
    nodeOf({ ...at(900_000), kind: 'verdict' }),
  ];
  expect(axisOf(nodes)).toEqual(axis);
  expect(axisOf(nodes.slice(2))).toBeNull();
  expect(axisOf([nodeOf(at(5))])).toEqual({ from: 5, length: 1 });
});

test('a bar shows the time of the work, including the first token', () => {
  const call = nodeOf({ ...at(1500), duration_ms: 1000, time_to_first_token_ms: 250 });
  expect(markOf(call, axis)).toEqual({
    kind: 'bar',
    from: 0.25,
    length: 0.5,
    firstToken: 0.25,
    isRunning: false,
  });
  expect(markOf(nodeOf({ ...at(2000), status: 'running' }), axis)).toMatchObject({
    from: 0.5,
    length: 0.5,
    isRunning: true,
  });
  expect(markOf(nodeOf(at(2000)), axis)).toEqual({ kind: 'moment', from: 0.5 });
});

test('a record without a start has words instead of a bar', () => {
  const textOf = (more: Partial<TraceItem>) => {
    const mark = markOf(nodeOf(more), axis);
    return mark.kind === 'none' ? mark.text : mark.kind;
  };
  expect(textOf({})).toBe('no times recorded');
  expect(textOf({ duration_ms: 5 })).toBe('no start recorded');
  expect(textOf({ ...at(63_000), kind: 'verdict' })).toBe('1 min after the end');
  expect(textOf({ ...at(500), kind: 'verdict' })).toBe('500 ms before the start');
});

test('ticks are at round times', () => {
  const labels = (length: number, most: number) =>
    ticksOf({ from: 0, length }, most).map(({ label }) => label);
  expect(labels(20_500, 5)).toEqual(['0', '5.0 s', '10 s', '15 s', '20 s']);
  expect(labels(950, 5)).toEqual(['0', '200 ms', '400 ms', '600 ms', '800 ms']);
  expect(labels(1, 5)).toEqual(['0', '1 ms']);
  expect(ticksFor({ from: 0, length: 20_500 }, 90).map(({ label }) => label)).toEqual([
    '0',
    '20 s',
  ]);
});

test('ticks never exceed the available space or the axis', () => {
  assert(
    property(integer({ min: 1, max: 1e13 }), integer({ min: 1, max: 12 }), (length, most) => {
      const ticks = ticksOf({ from: 0, length }, most);
      expect(ticks.length).toBeLessThanOrEqual(most + 1);
      expect(ticks.every(({ place }) => place >= 0 && place <= 1)).toBe(true);
    }),
  );
});

describe('a part of the trace', () => {
  const whole = { from: 1000, length: 2000 };
  const part = { from: 1500, length: 500, whole };

  test('is read from the URL and written to it', () => {
    expect(readZoom('500-1000')).toEqual({ from: 500, to: 1000 });
    for (const text of ['', '5', '9-9', '9-1', '-1-5', 'a-b', '1-2-3'])
      expect(readZoom(text)).toBeUndefined();
    expect([zoomText({ from: 1, to: 2 }), zoomText(undefined)]).toEqual(['1-2', '']);
  });

  test('has an axis within that of the whole trace', () => {
    expect(zoomedAxis(whole, { from: 500, to: 1000 })).toEqual(part);
    expect(zoomedAxis(whole, { from: 1500, to: 9000 })).toMatchObject({ from: 2500, length: 500 });
    expect(zoomedAxis(whole, { from: 2000, to: 9000 })).toBe(whole);
    expect(zoomedAxis(whole, undefined)).toBe(whole);
    expect(zoomedAxis(null, { from: 0, to: 1 })).toBeNull();
  });

  test('shows the visible parts of bars and on which side the others are', () => {
    const call = nodeOf({ ...at(1250), duration_ms: 500, time_to_first_token_ms: 375 });
    expect(markOf(call, part)).toEqual({
      kind: 'bar',
      from: 0,
      length: 0.5,
      firstToken: 0.5,
      isRunning: false,
    });
    expect(markOf(nodeOf({ ...at(1900), duration_ms: 1000 }), part)).toMatchObject({
      from: 0.8,
      length: expect.closeTo(0.2) as number,
    });
    expect(markOf(nodeOf({ ...at(1000), duration_ms: 100 }), part)).toEqual({
      kind: 'outside',
      side: 'before',
    });
    expect(markOf(nodeOf(at(2500)), part)).toEqual({ kind: 'outside', side: 'after' });
    expect(markOf(nodeOf({ ...at(1000), status: 'running' }), part)).toMatchObject({ length: 1 });
    expect(markOf(nodeOf(at(500)), part)).toMatchObject({ kind: 'none' });
  });

  test('is selected between two positions, in either direction', () => {
    expect(zoomBetween(whole, 0.5, 0.25)).toEqual({ from: 500, to: 1000 });
    expect(zoomBetween(part, 0, 0.5)).toEqual({ from: 500, to: 750 });
    expect(zoomBetween(whole, 0, 1)).toBeUndefined();
    expect(zoomBetween({ from: 0, length: 1 }, 0.2, 0.2)).toBeUndefined();
  });

  test('is zoomed and moved without leaving the trace', () => {
    expect(zoomAround(whole, 0.5, 0.5)).toEqual({ from: 500, to: 1500 });
    expect(zoomAround(part, 0.5, 100)).toBeUndefined();
    expect(panned(part, 0.5)).toEqual({ from: 750, to: 1250 });
    expect(panned(part, -9)).toEqual({ from: 0, to: 500 });
    expect(panned(part, 9)).toEqual({ from: 1500, to: 2000 });
    expect(panned(whole, 1)).toBeUndefined();
  });

  test('ticks are at round distances from the start of the trace and have different labels', () => {
    const ticks = ticksOf({ from: 91_150, length: 300, whole: { from: 0, length: 200_000 } }, 4);
    expect(ticks.map(({ label }) => label)).toEqual(['1:31.2', '1:31.3', '1:31.4']);
    assert(
      property(
        integer({ min: 1, max: 1e8 }),
        integer({ min: 0, max: 1e8 }),
        integer({ min: 2, max: 12 }),
        (length, from, most) => {
          const axis = { from, length, whole: { from: 0, length: 3e8 } };
          const labels = ticksOf(axis, most).map(({ label }) => label);
          expect(labels.length).toBeLessThanOrEqual(most + 1);
          expect(new Set(labels).size).toBe(labels.length);
        },
      ),
    );
  });
});
