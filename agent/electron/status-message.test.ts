import { expect, test } from 'vitest';
import { captureOf } from '#test/support/device-reports.ts';
import { encodeStatus, isUploaded } from './status-message.ts';
import { busyStatus } from './testing/sample-status.ts';

const status = busyStatus;

test('a status is sent unchanged, with times in ISO 8601', () => {
  expect(encodeStatus(status)).toEqual({
    message: {
      ...status,
      identity_expires_at: '2026-12-24T00:00:00.000Z',
      capture: {
        ...status.capture,
        hosts: status.capture.hosts.map((host) => ({
          ...host,
          since: '2026-11-12T09:00:00.000Z',
        })),
      },
      coding_agents: {
        ...status.coding_agents,
        files: status.coding_agents.files.map((file) => ({
          ...file,
          written_at: '2026-05-30T00:00:00.000Z',
        })),
      },
      recent_flows: [{ ...status.recent_flows[0], started_at: '2026-11-22T13:02:03.000Z' }],
    },
  });
});

test.each<[string, object]>([
  ['api_key', { api_key: 'svc_sk_0123456789' }],
  ['request_body', { exchanges: [{ ...busyStatus.exchanges[0], request_body: 'x' }] }],
  ['path', { apps: [{ ...busyStatus.apps[0], path: '/home/ada' }] }],
])('an unexpected field is not sent: %s', (field, extra) => {
  const encoded = encodeStatus({ ...status, ...extra });
  expect(encoded).toEqual({ error: expect.stringContaining(field) });
  expect(JSON.stringify(encoded)).not.toContain('svc_sk_');
});

test('an exchange is sent only in the form of the upload', () => {
  const exchange = captureOf('cap_1', '2026-11-22T13:02:04.000Z');
  expect(isUploaded(exchange)).toBe(true);
  expect(isUploaded({ ...exchange, unredacted: 'x' })).toBe(false);
});
