import { expect, test } from 'vitest';
import { channelPush, deviceConfig } from './device-protocol.ts';
import { guardConfig } from './guard.ts';

const older = {
  version: 3,
  capture_enabled: true,
  intercept_hosts: ['api.openai.com'],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
};

test('older control planes enforce nothing and allow no pauses', () => {
  const unset = {
    enforce_policies: false,
    pause_minutes: 0,
    coding_agents: 'off',
    tool_checks: 'off',
  };
  expect(deviceConfig.parse(older)).toEqual({ ...older, ...unset });
  const push = channelPush.parse({ type: 'config', config: older });
  expect(push.config.enforce_policies).toBe(false);
});

test('a configuration with fields of a later control plane is accepted', () => {
  const later = { ...older, app: { contact: 'IT', contact_address: null, newest_version: null } };
  const parsed = deviceConfig.parse({ ...later, more: 1, app: { ...later.app, more: 1 } });
  expect(parsed.app).toEqual(later.app);
});

test('a layer without `enforce_policies` does not set it', () => {
  expect(guardConfig.parse({ capture_enabled: true })).toEqual({ capture_enabled: true });
});
