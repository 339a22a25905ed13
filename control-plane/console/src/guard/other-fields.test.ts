import { expect, test } from 'vitest';
import { guardFields } from '#contract/guard.ts';
import type { GuardConfig } from '#contract/guard.ts';
import { draftOf } from './layer-draft.ts';
import { describeOthers, otherFields } from './other-fields.ts';

test.each<[GuardConfig, string]>([
  [{}, ''],
  [{ capture_enabled: true, intercept_hosts: ['a.example'] }, ''],
  [{ blocked_hosts: ['a.example', 'b.example'] }, 'Blocked hosts: a.example, b.example'],
  [
    { intercept_processes: ['code'], blocked_processes: [] },
    'Only for processes: code; Blocked processes: –',
  ],
])('%j also sets %j', (config, text) => expect(describeOthers(config)).toBe(text));

test('every field of a layer is either editable or described', () => {
  const all = {
    capture_enabled: true,
    intercept_hosts: [],
    enforce_policies: false,
    pause_minutes: 0,
    coding_agents: 'off' as const,
    tool_checks: 'off' as const,
  };
  expect([...Object.keys(draftOf(all)), ...Object.keys(otherFields)].sort()).toEqual(
    Object.keys(guardFields.shape).sort(),
  );
});
