import { expect, test } from 'vitest';
import type { AgentStatus } from '#agent/core/status.ts';
import { describeInBrief } from './tray-lines.ts';

const status: AgentStatus = {
  phase: 'enrolled',
  device_id: 'dev_1',
  api_host: 'gatehouse.example:8443',
  identity_expires_at: 1,
  connected: true,
  config_version: 1,
  capture: { enabled: false, hosts: [], processes: [] },
  counts: { apps: 0, open_flows: 0, reported: 0, queued: 0, dropped: 0 },
  recent_flows: [],
  apps: [],
  problems: [],
};
const captureOf = (...hosts: string[]) => ({ capture: { enabled: true, hosts, processes: [] } });

test.each<[Partial<AgentStatus>, string[]]>([
  [{}, ['Connected to gatehouse.example:8443', 'Nothing is decrypted']],
  [{ connected: false }, ['No connection to gatehouse.example:8443', 'Nothing is decrypted']],
  [
    { phase: 'waiting for approval' },
    ['Waiting for approval by gatehouse.example:8443', 'Nothing is decrypted'],
  ],
  [{ phase: 'enrolling' }, ['Enrolling with gatehouse.example:8443', 'Nothing is decrypted']],
  [
    { phase: 'waiting for configuration', api_host: null },
    ['Waiting for configuration', 'Nothing is decrypted'],
  ],
  [
    captureOf('api.openai.com'),
    ['Connected to gatehouse.example:8443', 'Traffic to api.openai.com may be recorded'],
  ],
  [
    captureOf('api.openai.com', 'claude.ai'),
    ['Connected to gatehouse.example:8443', 'Traffic to 2 hosts may be recorded'],
  ],
  // On for no host is off.
  [captureOf(), ['Connected to gatehouse.example:8443', 'Nothing is decrypted']],
  [
    { problems: ['one'] },
    ['Connected to gatehouse.example:8443', 'Nothing is decrypted', '1 problem'],
  ],
  [
    { problems: ['one', 'two'] },
    ['Connected to gatehouse.example:8443', 'Nothing is decrypted', '2 problems'],
  ],
])('%o', (part, lines) => {
  expect(describeInBrief({ ...status, ...part })).toEqual(lines);
});
