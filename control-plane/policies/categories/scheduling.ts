import { z } from 'zod';
import { category } from '../category.ts';
import { isTimeZone, type WallClock, wallClock } from '../../lib/calendar.ts';

const day = z.int().min(0).max(6);
const hours = { start: z.int().min(0).max(23), end: z.int().min(1).max(24) };
const isNotEmpty = z.refine<Hours>(({ start, end }) => start !== end, {
  path: ['end'],
  error: 'expected an hour different from `start`',
});

const rules = z.strictObject({
  allowed_hours: z.strictObject(hours).check(isNotEmpty).nullish(),
  /** Day numbers, of which 0 is Monday. */
  allowed_days: z.array(day).max(7).default([]),
  timezone: z
    .string()
    .refine(isTimeZone, {
      error: ({ input }) =>
        `unknown time zone ${JSON.stringify(input)}; expected one such as "Europe/Berlin"`,
    })
    .default('UTC'),
  blackout_dates: z.array(z.iso.date()).max(1000).default([]),
  maintenance_windows: z
    .array(z.strictObject({ day, ...hours }).check(isNotEmpty))
    .max(100)
    .default([]),
});
type Rules = z.output<typeof rules>;

/** The hours from `start` until before `end`; they cross midnight if `end` is earlier. */
interface Hours {
  start: number;
  end: number;
}

/** Restricts the times at which runs start, by local time in the policy's time zone. */
export const scheduling = category({
  name: 'scheduling',
  summary: 'Blocks runs outside allowed hours and days, on blackout dates and during maintenance',
  rules,
  phases: ['before_workflow'],
  evaluate({ rules, situation: { now } }) {
    const clock = wallClock(now, rules.timezone);
    const refusal = refusalOf(clock, rules);
    const metadata = { local_time: `${clock.date}T${clock.time}`, timezone: rules.timezone };
    return refusal
      ? { action: 'block', reason: refusal.reason, metadata: { rule: refusal.rule, ...metadata } }
      : { action: 'allow', reason: 'Within schedule', metadata };
  },
});

function refusalOf(
  clock: WallClock,
  rules: Rules,
): { rule: keyof Rules; reason: string } | undefined {
  const { allowed_hours, allowed_days, blackout_dates, maintenance_windows, timezone } = rules;
  if (blackout_dates.includes(clock.date))
    return { rule: 'blackout_dates', reason: `Blackout date ${clock.date}` };
  const window = maintenance_windows.find((one) => isIn(clock, one));
  if (window) {
    const reason = `Maintenance window ${DAYS[window.day]} ${hoursText(window)} ${timezone}`;
    return { rule: 'maintenance_windows', reason };
  }
  if (allowed_days.length > 0 && !allowed_days.includes(clock.day)) {
    const days = allowed_days.map((each) => DAYS[each]).join(', ');
    return {
      rule: 'allowed_days',
      reason: `Outside allowed days (now ${DAYS[clock.day]}, allowed ${days}, ${timezone})`,
    };
  }
  if (allowed_hours && !isWithin(clock.hour, allowed_hours)) {
    const reason = `Outside allowed hours (now ${clock.time}, allowed ${hoursText(allowed_hours)} ${timezone})`;
    return { rule: 'allowed_hours', reason };
  }
  return undefined;
}

const isWithin = (hour: number, { start, end }: Hours): boolean =>
  start < end ? start <= hour && hour < end : hour >= start || hour < end;

/**
 * Whether a time is in a window. A window that crosses midnight belongs to the day on which it
 * begins.
 */
function isIn({ day, hour }: WallClock, window: Rules['maintenance_windows'][number]): boolean {
  const began = window.start < window.end || hour >= window.start ? day : (day + 6) % 7;
  return began === window.day && isWithin(hour, window);
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const hoursText = ({ start, end }: Hours): string =>
  [start, end].map((hour) => `${String(hour).padStart(2, '0')}:00`).join('-');
