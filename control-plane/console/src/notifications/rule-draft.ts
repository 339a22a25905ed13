import { t } from '@lingui/core/macro';
import type { NotificationRule, RuleBody } from '../data/notification-sources.ts';
import { NONE } from '../format.ts';
import { dayNames } from './names.ts';

export type QuietHours = NonNullable<NotificationRule['quiet_hours']>;
export type QuietPeriod = QuietHours['periods'][number];
export type RuleDraft = Omit<NotificationRule, 'id' | 'created_at' | 'updated_at'>;

export const newRule = (channelIds: string[]): RuleDraft => ({
  name: '',
  enabled: true,
  events: ['incident.raised', 'approval.requested'],
  min_severity: null,
  policy_ids: [],
  agents: [],
  budget_percent: 80,
  offline_minutes: 60,
  channel_ids: channelIds,
  quiet_hours: null,
  group_seconds: 60,
  decide_by_link: false,
});

/** The request body for a rule. */
export const bodyOf = ({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  ...body
}: NotificationRule): RuleBody & RuleDraft => body;

export const nights = (timeZone: string): QuietHours => ({
  time_zone: timeZone,
  periods: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00' }],
  during: 'hold',
});

/** Describes the quiet hours in one line: `Mon–Fri 22:00–07:00, Sat, Sun 00:00–00:00`. */
export function describeQuiet(quiet: NotificationRule['quiet_hours']): string {
  if (!quiet) return NONE;
  return quiet.periods.map((one) => `${describeDays(one.days)} ${one.from}–${one.to}`).join(', ');
}

/** Describes weekdays. Three or more consecutive days become a range. */
export function describeDays(days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b);
  const nameOf = (day: number): string => dayNames[day - 1] ?? '';
  const [first = 1, last = 1] = [sorted[0], sorted.at(-1)];
  if (sorted.length === 7) return t`daily`;
  if (sorted.length > 2 && last - first === sorted.length - 1)
    return `${nameOf(first)}–${nameOf(last)}`;
  return sorted.map(nameOf).join(', ');
}
