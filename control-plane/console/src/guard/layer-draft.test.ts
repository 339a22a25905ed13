import { array, assert, boolean, constantFrom, property, record, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codingAgentLevels, toolCheckModes } from '#contract/guard.ts';
import {
  asOverrides,
  clearField,
  configWith,
  draftOf,
  effectiveOf,
  isSameDraft,
  resetHost,
  switchHost,
} from './layer-draft.ts';

const off = {
  capture_enabled: false,
  intercept_hosts: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off' as const,
  tool_checks: 'off' as const,
};
const enabledForHostA = {
  capture_enabled: true,
  intercept_hosts: ['a.example'],
  enforce_policies: true,
  pause_minutes: 30,
  coding_agents: 'tools' as const,
  tool_checks: 'closed' as const,
};

describe('switching a host', () => {
  test.each([
    ['on', {}, off, true, { capture_enabled: true, host_overrides: { 'b.example': true } }],
    [
      'on, beside inherited hosts',
      {},
      enabledForHostA,
      true,
      { host_overrides: { 'b.example': true } },
    ],
    [
      'on, if this layer has capture off',
      { capture_enabled: false },
      enabledForHostA,
      true,
      { capture_enabled: true, host_overrides: { 'b.example': true } },
    ],
    ['on and off again', { host_overrides: { 'b.example': true } }, enabledForHostA, false, {}],
    [
      'off, if it is inherited',
      {},
      { ...enabledForHostA, intercept_hosts: ['b.example'] },
      false,
      { host_overrides: { 'b.example': false } },
    ],
    ['off, if it is not on', {}, enabledForHostA, false, {}],
    [
      'on, in a layer with a whole list',
      { intercept_hosts: ['a.example'] },
      off,
      true,
      { capture_enabled: true, intercept_hosts: ['a.example', 'b.example'] },
    ],
    [
      'off, if it is the last one of a whole list',
      { intercept_hosts: ['b.example'] },
      enabledForHostA,
      false,
      { intercept_hosts: [] },
    ],
  ])('%s', (_, draft, inherited, on, result) => {
    expect(switchHost(draft, inherited, 'b.example', on)).toEqual(result);
  });

  test('affects only this host', () => {
    const hosts = ['a.example', 'b.example', 'c.example'];
    const inherited = record({
      capture_enabled: boolean(),
      intercept_hosts: uniqueArray(constantFrom(...hosts)),
      enforce_policies: boolean(),
      pause_minutes: constantFrom(0, 30),
      coding_agents: constantFrom(...codingAgentLevels),
      tool_checks: constantFrom(...toolCheckModes),
    });
    const switches = array(record({ host: constantFrom(...hosts), on: boolean() }));
    assert(
      property(inherited, switches, (inherited, switches) => {
        let draft = {};
        const expected = new Set(inherited.intercept_hosts);
        for (const { host, on } of switches) {
          draft = switchHost(draft, inherited, host, on);
          if (on) expected.add(host);
          else expected.delete(host);
          const effective = effectiveOf(draft, inherited);
          expect(new Set(effective.intercept_hosts)).toEqual(expected);
          expect(effective.capture_enabled || !on).toBe(true);
        }
      }),
    );
  });
});

test('a whole list is converted to the differences from the inherited hosts', () => {
  const draft = { capture_enabled: true, intercept_hosts: ['b.example'] };
  expect(asOverrides(draft, enabledForHostA)).toEqual({
    capture_enabled: true,
    host_overrides: { 'a.example': false, 'b.example': true },
  });
  expect(asOverrides({ intercept_hosts: ['a.example'] }, enabledForHostA)).toEqual({});
});

test('a host is reset to its inherited state', () => {
  const draft = { host_overrides: { 'a.example': false, 'b.example': true } };
  expect(resetHost(draft, enabledForHostA, 'a.example')).toEqual({
    host_overrides: { 'b.example': true },
  });
  // The override is removed even if a broader layer now has the same state.
  expect(
    resetHost({ host_overrides: { 'a.example': true } }, enabledForHostA, 'a.example'),
  ).toEqual({});
});

test('saving keeps fields that are not edited and removes cleared fields', () => {
  const config = { ...enabledForHostA, blocked_hosts: ['c.example'] };
  const draft = clearField(draftOf(config), 'intercept_hosts');
  expect(configWith(config, draft)).toEqual({
    capture_enabled: true,
    enforce_policies: true,
    pause_minutes: 30,
    coding_agents: 'tools',
    tool_checks: 'closed',
    blocked_hosts: ['c.example'],
  });
  expect(configWith(enabledForHostA, {})).toEqual({});
});

test.each([
  [{}, {}, true],
  [{}, { intercept_hosts: [] }, false],
  [{ capture_enabled: false }, {}, false],
  [{ enforce_policies: false }, {}, false],
  [{ intercept_hosts: ['a', 'b'] }, { intercept_hosts: ['b', 'a'] }, true],
  [{ intercept_hosts: ['a'] }, { intercept_hosts: ['b'] }, false],
  [{ host_overrides: { a: true } }, {}, false],
  [{ host_overrides: { a: true } }, { host_overrides: { a: false } }, false],
  [{ host_overrides: { a: true, b: true } }, { host_overrides: { b: true, a: true } }, true],
])('%j and %j are equal: %s', (a, b, same) => expect(isSameDraft(a, b)).toBe(same));
