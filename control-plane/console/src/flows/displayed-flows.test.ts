import { describe, expect, test } from 'vitest';
import type { Flow } from '../data/flow-sources.ts';
import { flowKey, updateDisplayedFlows } from './displayed-flows.ts';

const flow = (id: string, second: number, more: Partial<Flow> = {}): Flow => ({
  id,
  device_id: 'dev_1',
  hostname: 'air',
  app_id: null,
  process: null,
  path: null,
  pid: null,
  user: null,
  host: null,
  address: '10.0.0.1',
  port: 443,
  protocol: 'tcp',
  started_at: new Date(second * 1000).toISOString(),
  ended_at: null,
  bytes_in: 0,
  bytes_out: 0,
  ...more,
});

const held = [flow('c', 30), flow('b', 20)];
const ids = (rows: readonly Flow[]) => rows.map(({ id }) => id);

describe('holding flows', () => {
  test('holds back newer flows and counts them', () => {
    const { rows, waiting } = updateDisplayedFlows(held, [flow('e', 50), flow('d', 40), ...held], {
      update: true,
    });
    expect([ids(rows), waiting]).toEqual([['c', 'b'], 2]);
  });

  test('keeps rows that the latest page no longer contains', () => {
    const { rows, waiting } = updateDisplayedFlows(held, [flow('e', 50), flow('d', 40)], {
      update: true,
    });
    expect([ids(rows), waiting]).toEqual([['c', 'b'], 2]);
  });

  test('appends older flows, including those of the same instant', () => {
    const { rows, waiting } = updateDisplayedFlows(held, [...held, flow('b2', 20), flow('a', 10)], {
      update: true,
    });
    expect([ids(rows), waiting]).toEqual([['c', 'b', 'b2', 'a'], 0]);
  });

  test.each([
    [true, 900],
    [false, 0],
  ])('with update %s, a row with a newer report has %s bytes', (update, bytes) => {
    const latest = [flow('c', 30, { bytes_in: 900 }), flow('b', 20)];
    expect(updateDisplayedFlows(held, latest, { update }).rows[0]?.bytes_in).toBe(bytes);
  });

  test('in another order, appends the requested rows whatever their start time', () => {
    const latest = [...held, flow('d', 40), flow('a', 10)];
    const { rows, waiting } = updateDisplayedFlows(held, latest, { update: false, more: 2 });
    expect([ids(rows), waiting]).toEqual([['c', 'b', 'd', 'a'], 0]);
  });

  test('in another order, appends only requested rows', () => {
    const latest = [flow('d', 40), flow('c', 30), flow('a', 10)];
    const { rows, waiting } = updateDisplayedFlows(held, latest, { update: false, more: 0 });
    expect([ids(rows), waiting]).toEqual([['c', 'b'], 2]);
  });

  test('distinguishes flows with the same id on different devices', () => {
    const other = flow('c', 40, { device_id: 'dev_2' });
    expect(flowKey(other)).not.toBe(flowKey(flow('c', 40)));
    expect(updateDisplayedFlows(held, [other, ...held], { update: true }).waiting).toBe(1);
  });
});
