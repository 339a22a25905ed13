import { expect, test } from 'vitest';
import { channelPush, deviceConfig } from './device.ts';
import { guardConfig } from './guard.ts';

const older = {
  version: 3,
  capture_enabled: true,
  intercept_hosts: ['api.openai.com'],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
};

test('a control plane that is older than enforcement enforces nothing', () => {
  expect(deviceConfig.parse(older)).toEqual({ ...older, enforce_policies: false });
  const push = channelPush.parse({ type: 'config', config: older });
  expect(push.config.enforce_policies).toBe(false);
});

test('a layer that does not set enforcement leaves it open', () => {
  expect(guardConfig.parse({ capture_enabled: true })).toEqual({ capture_enabled: true });
});
