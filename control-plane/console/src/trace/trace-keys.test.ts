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
])('%s shows %j of the whole trace', (key, to) =>
  expect(zoomOfKey(press(key), whole, undefined)).toEqual({ to }),
);

test('a record is shown alone, or stays where it is', () => {
  expect(zoomOfKey(press('z'), whole, node)).toEqual({ to: { from: 1000, to: 1250 } });
  expect(zoomOfKey(press('z'), part, node)).toEqual({ to: { from: 1000, to: 1250 } });
  expect(zoomOfKey(press('z'), whole, undefined)).toBeUndefined();
  expect(zoomOfKey(press('+'), part, node)).toEqual({ to: { from: 812, to: 1313 } });
});

test('Shift and an arrow move a part, and an arrow alone does not', () => {
  expect(zoomOfKey(press('ArrowRight', true), part, node)).toEqual({ to: { from: 750, to: 1750 } });
  expect(zoomOfKey(press('ArrowLeft', true), part, node)).toEqual({ to: { from: 250, to: 1250 } });
  expect(zoomOfKey(press('ArrowLeft', true), whole, node)).toBeUndefined();
  expect(zoomOfKey(press('ArrowLeft'), part, node)).toBeUndefined();
});

test('without times there is nothing to zoom, and other keys do not', () => {
  expect(zoomOfKey(press('+'), null, node)).toBeUndefined();
  expect(zoomOfKey(press('n'), whole, node)).toBeUndefined();
});
