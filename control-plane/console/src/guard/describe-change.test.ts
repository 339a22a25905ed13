import { expect, test } from 'vitest';
import type { GuardConfig } from '#contract/guard.ts';
import { describeChange, describeState } from './describe-change.ts';

const [a, b] = ['claude.ai', 'api.openai.com'];
const many = Array.from({ length: 5 }, (_, i) => `${i}.example`);

test.each<[GuardConfig | null, GuardConfig | null, string]>([
  [null, { capture_enabled: true, intercept_hosts: [a] }, 'capture on; hosts: + claude.ai'],
  [{ intercept_hosts: [a] }, { intercept_hosts: [b] }, 'hosts: + api.openai.com, − claude.ai'],
  [{ capture_enabled: true }, {}, 'capture inherited'],
  [{}, { enforce_policies: true }, 'policy enforcement on'],
  [{ enforce_policies: false }, {}, 'policy enforcement inherited'],
  [{}, { pause_minutes: 30 }, 'pauses up to 30 minutes'],
  [{ pause_minutes: 30 }, { pause_minutes: 0 }, 'pauses not allowed'],
  [{ pause_minutes: 0 }, {}, 'pauses inherited'],
  [{}, { coding_agents: 'metadata' }, 'coding agents metadata only'],
  [{ coding_agents: 'tools' }, { coding_agents: 'off' }, 'coding agents not recorded'],
  [{ coding_agents: 'off' }, {}, 'coding agents inherited'],
  [{}, { tool_checks: 'open' }, 'tool calls checked, allowed while offline'],
  [{ tool_checks: 'off' }, {}, 'tool calls inherited'],
  [{ intercept_hosts: [a] }, { capture_enabled: false }, 'capture off; hosts: inherited'],
  [null, { intercept_hosts: [] }, 'hosts: none'],
  [null, { blocked_hosts: ['x.example'] }, 'blocked hosts: + x.example'],
  [
    null,
    { blocked_hosts: many },
    'blocked hosts: + 0.example, + 1.example, + 2.example and 2 more changes',
  ],
  [{ capture_enabled: true }, null, 'layer removed: everything is inherited'],
  [null, {}, 'no settings'],
  [null, { host_overrides: { [a]: true, [b]: false } }, `single hosts: ${a} on, ${b} off`],
  [{ host_overrides: { [a]: true } }, {}, `single hosts: ${a} inherited`],
  [{ host_overrides: { [a]: true } }, { host_overrides: { [a]: true } }, 'no settings'],
])('%j to %j: %s', (before, after, text) => {
  expect(describeChange(before, after)).toBe(text);
});

test.each<[GuardConfig | null, string]>([
  [
    { capture_enabled: true, intercept_hosts: [a, b] },
    'capture on; hosts: claude.ai, api.openai.com',
  ],
  [
    { intercept_hosts: [], intercept_processes: ['Cursor'] },
    'hosts: none; only for processes: Cursor',
  ],
  [{ enforce_policies: false }, 'policy enforcement off'],
  [{ pause_minutes: 1 }, 'pauses up to 1 minute'],
  [{ coding_agents: 'prompts' }, 'coding agents with prompts and answers'],
  [{ tool_checks: 'closed' }, 'tool calls checked, refused while offline'],
  [{}, 'no settings'],
  [null, 'no layer: everything inherited'],
])('%j: %s', (config, text) => {
  expect(describeState(config)).toBe(text);
});
