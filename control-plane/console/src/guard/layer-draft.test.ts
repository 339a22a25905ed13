import { array, assert, boolean, constantFrom, property, record, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clearField,
  configWith,
  draftOf,
  effectiveOf,
  isSame,
  switchHost,
  unsavedAmong,
} from './layer-draft.ts';

const off = {
  capture_enabled: false,
  intercept_hosts: [],
  enforce_policies: false,
  pause_minutes: 0,
};
const onForA = {
  capture_enabled: true,
  intercept_hosts: ['a.example'],
  enforce_policies: true,
  pause_minutes: 30,
};

describe('switching a host', () => {
  test.each([
    ['on', {}, off, true, { capture_enabled: true, intercept_hosts: ['b.example'] }],
    [
      'on, in addition to inherited hosts',
      {},
      onForA,
      true,
      { intercept_hosts: ['a.example', 'b.example'] },
    ],
    [
      'on, if this layer has capture off',
      { capture_enabled: false },
      onForA,
      true,
      { capture_enabled: true, intercept_hosts: ['a.example', 'b.example'] },
    ],
    [
      'on twice',
      { intercept_hosts: ['b.example'] },
      onForA,
      true,
      { intercept_hosts: ['b.example'] },
    ],
    [
      'off, if it is the last one: the layer sets an empty list',
      { intercept_hosts: ['b.example'] },
      onForA,
      false,
      { intercept_hosts: [] },
    ],
    ['off, if it is not on', {}, onForA, false, { intercept_hosts: ['a.example'] }],
  ])('%s', (_, draft, inherited, on, result) => {
    expect(switchHost(draft, inherited, 'b.example', on)).toEqual(result);
  });

  test('affects this host only', () => {
    const hosts = ['a.example', 'b.example', 'c.example'];
    const inherited = record({
      capture_enabled: boolean(),
      intercept_hosts: uniqueArray(constantFrom(...hosts)),
      enforce_policies: boolean(),
      pause_minutes: constantFrom(0, 30),
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

test('saving keeps fields that are not edited and removes cleared fields', () => {
  const config = { ...onForA, blocked_hosts: ['c.example'] };
  const draft = clearField(draftOf(config), 'intercept_hosts');
  expect(configWith(config, draft)).toEqual({
    capture_enabled: true,
    enforce_policies: true,
    pause_minutes: 30,
    blocked_hosts: ['c.example'],
  });
  expect(configWith(onForA, {})).toEqual({});
});

test.each([
  [{}, {}, true],
  [{}, { intercept_hosts: [] }, false],
  [{ capture_enabled: false }, {}, false],
  [{ enforce_policies: false }, {}, false],
  [{ intercept_hosts: ['a', 'b'] }, { intercept_hosts: ['b', 'a'] }, true],
  [{ intercept_hosts: ['a'] }, { intercept_hosts: ['b'] }, false],
])('%j and %j are the same: %s', (a, b, same) => expect(isSame(a, b)).toBe(same));

test.each([
  ['nothing was edited', {}, false],
  ['an edit was discarded', { saved: undefined }, false],
  ['an edit was undone', { saved: onForA, other: {} }, false],
  ['a saved layer was edited', { saved: { capture_enabled: false } }, true],
  ['a new layer was edited', { saved: onForA, other: off }, true],
])('unsaved changes when %s', (_, drafts, unsaved) => {
  const saved = new Map([['saved', { ...onForA, blocked_hosts: ['c.example'] }]]);
  expect(unsavedAmong(drafts, saved)).toBe(unsaved);
});
