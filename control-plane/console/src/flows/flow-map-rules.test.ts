import { expect, test } from 'vitest';
import type { FlowGroup } from '../data/flow-sources.ts';
import { largestOf, mapOf } from './flow-map-rules.ts';

const group = (device: string, process: string | null, host: string, more: object = {}) =>
  ({
    device_id: device,
    hostname: device,
    process,
    host,
    address: null,
    port: 443,
    protocol: 'tcp',
    flow_count: 2,
    open_count: 1,
    bytes_in: 100,
    bytes_out: 20,
    first_started: '2026-11-01T00:00:00.000Z',
    last_started: '2026-11-02T00:00:00.000Z',
    ...more,
  }) satisfies FlowGroup as FlowGroup;

const groups = [
  group('d1', 'claude', 'api.anthropic.com'),
  group('d2', 'claude', 'api.anthropic.com', { bytes_in: null, bytes_out: null }),
  group('d1', 'claude', 'claude.ai'),
  group('d1', null, 'claude.ai', { bytes_in: null, bytes_out: null }),
];

test('a map has the apps and hosts of a fleet and the devices with the flows', () => {
  const { apps, hosts, edges } = mapOf(groups);
  expect(apps).toEqual([
    { name: 'claude', flows: 6, devices: 2 },
    { name: 'unknown process', flows: 2, devices: 1 },
  ]);
  expect(hosts).toEqual([
    { name: 'api.anthropic.com', flows: 4, devices: 2 },
    { name: 'claude.ai', flows: 4, devices: 1 },
  ]);
  expect(edges[0]).toMatchObject({ app: 'claude', flows: 4, devices: 2, open: 2, bytes: 120 });
  expect(edges[2]).toMatchObject({ app: 'unknown process', bytes: null });
});

test('a drawing has the largest apps and hosts, and only the edges between them', () => {
  const { apps, hosts, edges } = largestOf(mapOf(groups), 1);
  expect([apps.length, hosts.length]).toEqual([1, 1]);
  expect(edges.map(({ name }) => name)).toEqual(['claude → api.anthropic.com']);
});
