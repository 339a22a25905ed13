import { describe, expect, test } from 'vitest';
import { evaluate, rulesProblem } from '#test/support/category-simulation.ts';
import { scheduling } from './scheduling.ts';

const at = (time: string) => ({ now: Date.parse(time) });
const office = { allowed_hours: { start: 9, end: 17 } };
const night = { allowed_hours: { start: 22, end: 6 } };
const weekdays = { allowed_days: [0, 1, 2, 3, 4] };
const berlin = { timezone: 'Europe/Berlin' };
const newYork = { timezone: 'America/New_York' };
const window = (day: number, start: number, end: number) => ({
  maintenance_windows: [{ day, start, end }],
});

// 2026-03-04 is a Wednesday.
const rows: [string, object, string, string][] = [
  ['anything', {}, '2026-03-04T03:00:00Z', 'Within schedule'],

  ['the first second', office, '2026-03-04T09:00:00Z', 'Within schedule'],
  [
    'before it',
    office,
    '2026-03-04T08:59:59.999Z',
    'Outside allowed hours (now 08:59, allowed 09:00-17:00 UTC)',
  ],
  ['the last second', office, '2026-03-04T16:59:59.999Z', 'Within schedule'],
  [
    'after it',
    office,
    '2026-03-04T17:00:00Z',
    'Outside allowed hours (now 17:00, allowed 09:00-17:00 UTC)',
  ],
  [
    'up to midnight',
    { allowed_hours: { start: 0, end: 24 } },
    '2026-03-04T23:59:59Z',
    'Within schedule',
  ],
  [
    'at midnight',
    { allowed_hours: { start: 1, end: 24 } },
    '2026-03-05T00:00:00Z',
    'Outside allowed hours (now 00:00, allowed 01:00-24:00 UTC)',
  ],
  ['over midnight, late', night, '2026-03-04T22:00:00Z', 'Within schedule'],
  ['over midnight, early', night, '2026-03-04T05:59:59Z', 'Within schedule'],
  [
    'over midnight, outside',
    night,
    '2026-03-04T06:00:00Z',
    'Outside allowed hours (now 06:00, allowed 22:00-06:00 UTC)',
  ],

  [
    'Sunday',
    weekdays,
    '2026-03-08T23:59:59Z',
    'Outside allowed days (now Sun, allowed Mon, Tue, Wed, Thu, Fri, UTC)',
  ],
  ['Monday', weekdays, '2026-03-09T00:00:00Z', 'Within schedule'],
  [
    'Monday elsewhere',
    { ...weekdays, timezone: 'Asia/Tokyo' },
    '2026-03-08T15:00:00Z',
    'Within schedule',
  ],
  [
    'Sunday elsewhere',
    { ...weekdays, ...newYork },
    '2026-03-09T03:59:59Z',
    'Outside allowed days (now Sun, allowed Mon, Tue, Wed, Thu, Fri, America/New_York)',
  ],

  [
    'a zone of half hours',
    { ...office, timezone: 'Asia/Kolkata' },
    '2026-03-04T03:30:00Z',
    'Within schedule',
  ],
  [
    'before it',
    { ...office, timezone: 'Asia/Kolkata' },
    '2026-03-04T03:29:00Z',
    'Outside allowed hours (now 08:59, allowed 09:00-17:00 Asia/Kolkata)',
  ],
  [
    'winter time',
    { ...office, ...berlin },
    '2026-03-28T07:59:00Z',
    'Outside allowed hours (now 08:59, allowed 09:00-17:00 Europe/Berlin)',
  ],
  ['winter time, on the hour', { ...office, ...berlin }, '2026-03-28T08:00:00Z', 'Within schedule'],
  [
    'the day the clock goes forward',
    { ...office, ...berlin },
    '2026-03-29T07:00:00Z',
    'Within schedule',
  ],
  [
    'an hour that the clock skips',
    { allowed_hours: { start: 2, end: 3 }, ...berlin },
    '2026-03-29T01:00:00Z',
    'Outside allowed hours (now 03:00, allowed 02:00-03:00 Europe/Berlin)',
  ],
  [
    'an hour that comes twice, first',
    { allowed_hours: { start: 2, end: 3 }, ...berlin },
    '2026-10-25T00:30:00Z',
    'Within schedule',
  ],
  [
    'an hour that comes twice, again',
    { allowed_hours: { start: 2, end: 3 }, ...berlin },
    '2026-10-25T01:30:00Z',
    'Within schedule',
  ],
  [
    'after both',
    { allowed_hours: { start: 2, end: 3 }, ...berlin },
    '2026-10-25T02:00:00Z',
    'Outside allowed hours (now 03:00, allowed 02:00-03:00 Europe/Berlin)',
  ],
  [
    'the day a far clock goes back',
    { ...office, ...newYork },
    '2026-11-01T14:00:00Z',
    'Within schedule',
  ],

  [
    'a blackout',
    { blackout_dates: ['2026-12-25'] },
    '2026-12-25T00:00:00Z',
    'Blackout date 2026-12-25',
  ],
  ['the day before', { blackout_dates: ['2026-12-25'] }, '2026-12-24T23:59:59Z', 'Within schedule'],
  [
    'a blackout where the policy is',
    { blackout_dates: ['2026-12-25'], ...newYork },
    '2026-12-26T04:59:59Z',
    'Blackout date 2026-12-25',
  ],
  [
    'not yet there',
    { blackout_dates: ['2026-12-25'], ...newYork },
    '2026-12-25T04:59:59Z',
    'Within schedule',
  ],

  [
    'maintenance',
    window(2, 12, 13),
    '2026-03-04T12:59:59Z',
    'Maintenance window Wed 12:00-13:00 UTC',
  ],
  ['after maintenance', window(2, 12, 13), '2026-03-04T13:00:00Z', 'Within schedule'],
  ['maintenance of another day', window(3, 12, 13), '2026-03-04T12:00:00Z', 'Within schedule'],
  [
    'maintenance that begins',
    window(6, 22, 2),
    '2026-03-08T22:00:00Z',
    'Maintenance window Sun 22:00-02:00 UTC',
  ],
  [
    'maintenance over midnight and the week',
    window(6, 22, 2),
    '2026-03-09T01:59:59Z',
    'Maintenance window Sun 22:00-02:00 UTC',
  ],
  ['after maintenance over midnight', window(6, 22, 2), '2026-03-09T02:00:00Z', 'Within schedule'],
  ['the night before it', window(6, 22, 2), '2026-03-08T01:00:00Z', 'Within schedule'],
  [
    'maintenance in its zone',
    { ...window(2, 12, 13), ...berlin },
    '2026-03-04T11:30:00Z',
    'Maintenance window Wed 12:00-13:00 Europe/Berlin',
  ],

  [
    'blackouts before all else',
    { ...office, blackout_dates: ['2026-03-04'], ...window(2, 0, 24) },
    '2026-03-04T03:00:00Z',
    'Blackout date 2026-03-04',
  ],
  [
    'maintenance before days',
    { allowed_days: [0], ...window(2, 0, 24) },
    '2026-03-04T03:00:00Z',
    'Maintenance window Wed 00:00-24:00 UTC',
  ],
  [
    'days before hours',
    { allowed_days: [0], ...office },
    '2026-03-04T03:00:00Z',
    'Outside allowed days (now Wed, allowed Mon, UTC)',
  ],
];

describe('scheduling', () => {
  test.each(rows)('%s: the rules %j at %s', (_, rules, time, reason) => {
    const action = reason === 'Within schedule' ? 'allow' : 'block';
    expect(evaluate(scheduling, rules, at(time))).toMatchObject({ action, reason });
  });

  test('reports the rule and the time in the policy’s time zone', () => {
    const rules = { ...office, ...berlin };
    expect(evaluate(scheduling, rules, at('2026-03-04T23:05:00Z'))).toEqual({
      action: 'block',
      reason: 'Outside allowed hours (now 00:05, allowed 09:00-17:00 Europe/Berlin)',
      metadata: {
        rule: 'allowed_hours',
        local_time: '2026-03-05T00:05',
        timezone: 'Europe/Berlin',
      },
    });
    expect(evaluate(scheduling, rules, at('2026-03-04T12:00:00Z'))?.metadata).toEqual({
      local_time: '2026-03-04T13:00',
      timezone: 'Europe/Berlin',
    });
  });

  test('is evaluated only before runs', () => {
    expect(scheduling.phases).toEqual(['before_workflow']);
  });

  test.each<[unknown, string]>([
    [{ allowed_hours: { start: 24, end: 6 } }, 'allowed_hours.start: '],
    [{ allowed_hours: { start: -1, end: 6 } }, 'allowed_hours.start: '],
    [{ allowed_hours: { start: 9, end: 25 } }, 'allowed_hours.end: '],
    [{ allowed_hours: { start: 9, end: 0 } }, 'allowed_hours.end: '],
    [
      { allowed_hours: { start: 9, end: 9 } },
      'allowed_hours.end: expected an hour different from `start`',
    ],
    [{ allowed_hours: { start: 9.5, end: 17 } }, 'allowed_hours.start: '],
    [{ allowed_hours: { start: 9 } }, 'allowed_hours.end: '],
    [{ allowed_days: [7] }, 'allowed_days[0]: '],
    [{ allowed_days: ['Mon'] }, 'allowed_days[0]: '],
    [{ timezone: 'Mars/Olympus' }, 'timezone: unknown time zone "Mars/Olympus"'],
    [{ timezone: '' }, 'timezone: unknown time zone ""'],
    [{ timezone: '+01:00' }, 'timezone: unknown time zone "+01:00"'],
    [{ timezone: 2 }, 'timezone: '],
    [{ blackout_dates: ['2026-02-29'] }, 'blackout_dates[0]: '],
    [{ blackout_dates: ['25.12.2026'] }, 'blackout_dates[0]: '],
    [{ maintenance_windows: [{ day: 2, start: 3, end: 3 }] }, 'maintenance_windows[0].end: '],
    [{ maintenance_windows: [{ day: 9, start: 3, end: 4 }] }, 'maintenance_windows[0].day: '],
    [{ maintenance_windows: [{ start: 3, end: 4 }] }, 'maintenance_windows[0].day: '],
    [{ hours: {} }, '"hours"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(scheduling, rules)).toContain(message);
  });
});
