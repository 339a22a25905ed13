import { expect, test } from 'vitest';
import type { AgentStatus } from '#agent/core/status.ts';
import { encodeStatus } from './status-message.ts';

const status: AgentStatus = {
  phase: 'enrolled',
  device_id: 'dev_1',
  api_host: 'gatehouse.example:8443',
  identity_expires_at: Date.UTC(2026, 11, 24),
  connected: true,
  config_version: 3,
  capture: { enabled: true, hosts: ['api.openai.com'], processes: ['claude'] },
  counts: { apps: 1, open_flows: 1, reported: 2, queued: 0, dropped: 0 },
  recent_flows: [
    {
      id: 'f1',
      app_id: 'claude',
      process: 'claude',
      path: '/usr/bin/claude',
      pid: 7,
      user: 'ada',
      host: 'api.openai.com',
      address: '192.0.2.1',
      port: 443,
      protocol: 'tcp',
      started_at: Date.UTC(2026, 10, 21, 1, 2, 3),
      ended_at: null,
      bytes_in: 1,
      bytes_out: null,
    },
  ],
  apps: [{ kind: 'cli', name: 'Claude Code', version: '2.0' }],
  problems: ['flows: not permitted'],
};

test('a status crosses with its times as ISO 8601, and is otherwise the same', () => {
  expect(encodeStatus(status)).toEqual({
    message: {
      ...status,
      identity_expires_at: '2026-12-24T00:00:00.000Z',
      recent_flows: [{ ...status.recent_flows[0], started_at: '2026-11-21T01:02:03.000Z' }],
    },
  });
});

test.each<[string, object]>([
  ['api_key', { api_key: 'svc_sk_0123456789' }],
  ['path', { apps: [{ kind: 'cli', name: 'Claude Code', version: null, path: '/home/ada' }] }],
])('what is not planned does not cross: %s', (field, extra) => {
  const encoded = encodeStatus({ ...status, ...extra });
  expect(encoded).toEqual({ error: expect.stringContaining(field) });
  expect(JSON.stringify(encoded)).not.toContain('svc_sk_');
});
