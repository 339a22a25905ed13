import { expect, test } from 'vitest';
import type { Resolved } from '../data/sources.ts';
import { inheritedBy } from './inherited.ts';

const resolved = (
  hosts: string[],
  on: boolean,
  source: 'profile' | 'global' | 'device',
): Resolved => ({
  effective: {
    capture_enabled: on,
    intercept_hosts: hosts,
    intercept_processes: [],
    blocked_hosts: [],
    blocked_processes: [],
    enforce_policies: on,
    pause_minutes: on ? 30 : 15,
  },
  sources: {
    capture_enabled: source,
    intercept_hosts: source,
    enforce_policies: source,
    pause_minutes: source,
  },
  layers: {},
  inventory_blocks: [],
  version: 7,
});

const here = resolved(['here.example'], true, 'device');
const broader = resolved(['broad.example'], false, 'global');

test('unset fields inherit the effective configuration, including the profile', () => {
  expect(inheritedBy('device', {}, resolved(['p.example'], true, 'profile'), broader)).toEqual({
    capture_enabled: true,
    intercept_hosts: ['p.example'],
    enforce_policies: true,
    pause_minutes: 30,
    sources: {
      capture_enabled: 'profile',
      intercept_hosts: 'profile',
      enforce_policies: 'profile',
      pause_minutes: 'profile',
    },
  });
});

test('fields set by the layer inherit from the broader layers, field by field', () => {
  const config = { intercept_hosts: ['here.example'], enforce_policies: true, pause_minutes: 60 };
  expect(inheritedBy('device', config, here, broader)).toEqual({
    capture_enabled: true,
    intercept_hosts: ['broad.example'],
    enforce_policies: false,
    pause_minutes: 15,
    sources: {
      capture_enabled: 'device',
      intercept_hosts: 'global',
      enforce_policies: 'global',
      pause_minutes: 'global',
    },
  });
});

test('fields set by the global layer inherit the defaults', () => {
  const config = {
    capture_enabled: true,
    intercept_hosts: ['here.example'],
    enforce_policies: true,
    pause_minutes: 60,
  };
  expect(inheritedBy('global', config, here, here)).toEqual({
    capture_enabled: false,
    intercept_hosts: [],
    enforce_policies: false,
    pause_minutes: 0,
    sources: {
      capture_enabled: undefined,
      intercept_hosts: undefined,
      enforce_policies: undefined,
      pause_minutes: undefined,
    },
  });
});
