import { expect, test } from 'vitest';
import type { Resolved } from '../data/guard-sources.ts';
import { inheritedFrom } from './inherited.ts';

const resolved = (hosts: string[], on: boolean, source: 'profile' | 'global'): Resolved => ({
  effective: {
    capture_enabled: on,
    intercept_hosts: hosts,
    intercept_processes: [],
    blocked_hosts: [],
    blocked_processes: [],
    enforce_policies: on,
    pause_minutes: on ? 30 : 15,
    coding_agents: on ? 'tools' : 'metadata',
    tool_checks: on ? 'closed' : 'open',
  },
  sources: {
    capture_enabled: source,
    intercept_hosts: source,
    enforce_policies: source,
    pause_minutes: source,
    coding_agents: source,
    tool_checks: source,
  },
  layers: {},
  inventory_blocks: [],
  version: 7,
});

test('a layer inherits each field together with its source', () => {
  expect(inheritedFrom(resolved(['p.example'], true, 'profile'))).toEqual({
    capture_enabled: true,
    intercept_hosts: ['p.example'],
    enforce_policies: true,
    pause_minutes: 30,
    coding_agents: 'tools',
    tool_checks: 'closed',
    sources: {
      capture_enabled: 'profile',
      intercept_hosts: 'profile',
      enforce_policies: 'profile',
      pause_minutes: 'profile',
      coding_agents: 'profile',
      tool_checks: 'profile',
    },
  });
});
