import { expect, test } from 'vitest';
import { fieldsOf, occurredAt } from './rules.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

test.each([
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
  ['2026-03-01T10:00:00.123456', '2026-03-01T10:00:00.123Z'],
  ['2026-03-01 10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ['2026-03-01T10:00:00-0530', '2026-03-01T15:30:00.000Z'],
  ['2026-03-01T10:00+01', '2026-03-01T09:00:00.000Z'],
  ['2026-02-28', '2026-02-28T00:00:00.000Z'],
  [1_767_225_600, '2026-01-01T00:00:00.000Z'],
  [1_767_225_600_250, '2026-01-01T00:00:00.250Z'],
  [1_767_225_600.5, '2026-01-01T00:00:00.500Z'],
  ['2026-03-02T11:59:59Z', '2026-03-02T11:59:59.000Z'],
  ['2026-03-02T12:00:01Z', iso(now)],
  ['2026-13-01T00:00:00Z', iso(now)],
  ['1969-12-31T23:59:59Z', iso(now)],
  ['yesterday', iso(now)],
  ['1', iso(now)],
  ['', iso(now)],
  [1e300, iso(now)],
  [-1, iso(now)],
  [null, iso(now)],
  [{ at: 1 }, iso(now)],
  [undefined, iso(now)],
])('an event with the timestamp %j happened at %s', (timestamp, expected) => {
  expect(iso(occurredAt({ timestamp }, now))).toBe(expected);
});

const none = {
  event_type: null,
  agent_name: null,
  action: null,
  operator: null,
  reason: null,
  run_id: null,
};

test.each([
  [{}, {}],
  [
    { event_type: 'policy_check', agent_name: 'a', action: 'allow', operator: 'o', reason: 'r' },
    { event_type: 'policy_check', agent_name: 'a', action: 'allow', operator: 'o', reason: 'r' },
  ],
  [{ event: 'manual_override', metadata: {} }, { event_type: 'manual_override' }],
  [{ event: 'b', event_type: 'a' }, { event_type: 'a' }],
  [{ event: 'b', event_type: '' }, { event_type: 'b' }],
  [{ event_type: { no: 1 }, operator: 7 }, { operator: '7' }],
  [{ run_id: 12 }, { run_id: 12 }],
  [{ run_id: '12' }, { run_id: 12 }],
  [{ run_id: '012' }, {}],
  [{ run_id: 1.5 }, {}],
  [{ run_id: '9999999999999999' }, {}],
  [{ run_id: -1 }, {}],
])('the filter fields of %j are %j', (event, expected) => {
  expect(fieldsOf(event)).toEqual({ ...none, ...expected });
});

test('truncation does not split a surrogate pair', () => {
  const { reason } = fieldsOf({ reason: `${'x'.repeat(199)}😀` });
  expect(reason?.isWellFormed()).toBe(true);
  expect(reason?.length).toBe(200);
});
