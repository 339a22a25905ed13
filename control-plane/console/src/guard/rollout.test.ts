import { expect, test } from 'vitest';
import type { GuardLevel } from '#contract/guard.ts';
import type { Device } from '../data/device-sources.ts';
import { rolloutOf } from './rollout.ts';

const device = (id: string, more: Partial<Device>): Device => ({
  id,
  hostname: id,
  os: 'macOS',
  os_version: '26.1',
  agent_version: '0.1.0',
  user: 'maya',
  user_group: null,
  status: 'active',
  online: true,
  enrolled_at: '2026-11-01T00:00:00.000Z',
  last_seen: '2026-11-21T00:00:00.000Z',
  config_version: 4,
  applied_version: 4,
  problems: [],
  present_apps: 0,
  risk_flags: [],
  waiting_key: null,
  capture_pause: null,
  ...more,
});

const devices = [
  device('new', { applied_version: 5, user_group: 'design' }),
  device('same', {}),
  device('old', { applied_version: 3, user_group: 'design' }),
  device('revoked', { applied_version: 2, status: 'revoked', user_group: 'design' }),
];

test.each<[GuardLevel, string, string[], string[]]>([
  ['global', '', ['new', 'same'], ['old']],
  ['app_type', 'cli', [], []],
  ['agent', 'triage', [], []],
  ['user_group', 'design', ['new'], ['old']],
  ['user_group', 'sales', [], []],
  ['device', 'same', ['same'], []],
  ['device', 'revoked', [], []],
])('version 4 of %s %s', (level, scope, applied, pending) => {
  const rollout = rolloutOf(devices, level, scope, 4);
  expect(rollout.applied.map(({ id }) => id)).toEqual(applied);
  expect(rollout.pending.map(({ id }) => id)).toEqual(pending);
});
