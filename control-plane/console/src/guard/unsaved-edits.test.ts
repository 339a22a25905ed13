import { describe, expect, test } from 'vitest';
import { hasUnsavedEdits, rebaseDraft } from './unsaved-edits.ts';

describe('an edit is applied to the layer as it is saved now', () => {
  const base = { capture_enabled: true, host_overrides: { a: true, b: true } };
  test.each([
    [
      'others switched a host off',
      { draft: { ...base, host_overrides: { ...base.host_overrides, c: true } }, base },
      { capture_enabled: true, host_overrides: { a: true } },
      { capture_enabled: true, host_overrides: { a: true, c: true } },
    ],
    [
      'both removed a different override',
      { draft: { capture_enabled: true, host_overrides: { a: true } }, base },
      { capture_enabled: true, host_overrides: { b: true } },
      { capture_enabled: true },
    ],
    [
      'others removed the layer',
      { draft: { ...base, enforce_policies: true }, base },
      {},
      { enforce_policies: true },
    ],
    [
      'both changed the same field',
      { draft: { ...base, pause_minutes: 30 }, base: { ...base, pause_minutes: 15 } },
      { ...base, pause_minutes: 60 },
      { ...base, pause_minutes: 30 },
    ],
    [
      'others allowed pauses, and this edit switches capture off',
      { draft: { ...base, capture_enabled: false }, base },
      { ...base, pause_minutes: 60 },
      { ...base, capture_enabled: false, pause_minutes: 60 },
    ],
    [
      'both changed a whole list',
      { draft: { intercept_hosts: ['a', 'c'] }, base: { intercept_hosts: ['a', 'b'] } },
      { intercept_hosts: ['b', 'd'] },
      { intercept_hosts: ['c', 'd'] },
    ],
    [
      'others replaced the hosts by a whole list',
      { draft: { host_overrides: { a: false, b: true } }, base: { host_overrides: { a: false } } },
      { intercept_hosts: ['c'] },
      { intercept_hosts: ['c'], host_overrides: { b: true } },
    ],
    [
      'this edit keeps only the differences of a whole list',
      { draft: { host_overrides: { b: true } }, base: { intercept_hosts: ['a', 'b'] } },
      { intercept_hosts: ['a', 'b', 'c'] },
      { host_overrides: { b: true } },
    ],
  ])('%s', (_, edit, saved, result) => expect(rebaseDraft(edit, saved)).toEqual(result));
});

const saved = { capture_enabled: true, intercept_hosts: ['a.example'] };
test.each([
  ['nothing was edited', {}, false],
  ['an edit was discarded', { layer: undefined }, false],
  [
    'an edit was undone',
    { layer: { draft: saved, base: saved }, other: { draft: {}, base: {} } },
    false,
  ],
  ['a saved layer was edited', { layer: { draft: { capture_enabled: false }, base: saved } }, true],
  ['a new layer was edited', { other: { draft: { capture_enabled: false }, base: {} } }, true],
  [
    'others have saved the same edit',
    { layer: { draft: saved, base: { ...saved, capture_enabled: false } } },
    false,
  ],
])('there are unsaved changes when %s', (_, edits, unsaved) => {
  const layers = new Map([['layer', { ...saved, blocked_hosts: ['c.example'] }]]);
  expect(hasUnsavedEdits(edits, layers)).toBe(unsaved);
});
