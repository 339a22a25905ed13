import { expect, test } from 'vitest';
import type { FlowReport } from '#contract/flows.ts';
import { rememberFlow } from './status.ts';

const report = (id: string, bytes_in: number): FlowReport => ({
  id,
  app_id: null,
  process: 'curl',
  path: '/usr/bin/curl',
  pid: 7,
  user: 'ada',
  host: 'api.openai.com',
  address: '192.0.2.1',
  port: 443,
  protocol: 'tcp',
  started_at: 1,
  ended_at: null,
  bytes_in,
  bytes_out: 0,
});

test('a flow that is reported again moves to the front, and the number of flows is limited', () => {
  const flows = ['a', 'b', 'c', 'a', 'd'].reduce<FlowReport[]>(
    (list, id, i) => rememberFlow(list, report(id, i), 3),
    [],
  );
  expect(flows.map((flow) => [flow.id, flow.bytes_in])).toEqual([
    ['d', 4],
    ['a', 3],
    ['c', 2],
  ]);
});
