import { expect, test } from 'vitest';
import type { TraceNode } from '../runs/trace-tree.ts';
import { zoomOfKey } from './trace-keys.ts';

const whole = { from: 1000, length: 2000 };
const part = { from: 1500, length: 1000, whole };
const node = { from: 2000, to: 2250 } as TraceNode;
const press = (key: string, shiftKey = false) => ({ key, shiftKey });

test.each([
  ['+', { from: 500, to: 1500 }],
  ['=', { from: 500, to: 1500 }],
  ['-', undefined],
  ['0', undefined],
])('on the axis of the whole trace, the key %s zooms to %j', (key, to) =>
  expect(zoomOfKey(press(key), whole, undefined)).toEqual({ to }),
);

test('z zooms to a record, and + keeps its position', () => {
  expect(zoomOfKey(press('z'), whole, node)).toEqual({ to: { from: 1000, to: 1250 } });
  expect(zoomOfKey(press('z'), part, node)).toEqual({ to: { from: 1000, to: 1250 } });
  expect(zoomOfKey(press('z'), whole, undefined)).toBeUndefined();
  expect(zoomOfKey(press('+'), part, node)).toEqual({ to: { from: 812, to: 1313 } });
});

test('Shift and an arrow key move the visible part; an arrow key alone does not', () => {
  expect(zoomOfKey(press('ArrowRight', true), part, node)).toEqual({ to: { from: 750, to: 1750 } });
  expect(zoomOfKey(press('ArrowLeft', true), part, node)).toEqual({ to: { from: 250, to: 1250 } });
  expect(zoomOfKey(press('ArrowLeft', true), whole, node)).toBeUndefined();
  expect(zoomOfKey(press('ArrowLeft'), part, node)).toBeUndefined();
});

test('without times there is no zoom, and other keys have no effect on it', () => {
  expect(zoomOfKey(press('+'), null, node)).toBeUndefined();
  expect(zoomOfKey(press('n'), whole, node)).toBeUndefined();
});
