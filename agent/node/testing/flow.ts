import type { FlowReport } from '#contract/flows.ts';

/** Returns a sample flow report. */
export const flowOf = (id: string, overrides: Partial<FlowReport> = {}): FlowReport => ({
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
  started_at: 1_800_000_000_000,
  ended_at: null,
  bytes_in: 10,
  bytes_out: 20,
  ...overrides,
});
