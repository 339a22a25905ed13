import { plural, t } from '@lingui/core/macro';
import type { GuardLevel } from '#contract/guard.ts';
import type { GuardPreview } from '../data/guard-sources.ts';
import { formatCount } from '../format.ts';
import { isPerApp } from './rollout.ts';

/** Describes how many devices a change applies to and how many of them change. */
export function devicesText(
  { device_count: all, changed_count: changed }: GuardPreview,
  level: GuardLevel,
): string {
  if (isPerApp(level)) return t`Changes no device: devices do not capture by application yet.`;
  if (all === 0)
    return level === 'device'
      ? t`Changes nothing until the device is restored.`
      : t`No device is in this scope yet.`;
  if (changed === 0)
    return plural(all, {
      one: 'Changes nothing on the # device in this scope.',
      other: 'Changes nothing on the # devices in this scope.',
    });
  if (changed === all)
    return plural(all, { one: 'Changes # device.', other: 'Changes # devices.' });
  const count = formatCount(changed);
  return plural(all, {
    one: `Changes ${count} of # device; the others already have these settings, or a narrower layer overrides them.`,
    other: `Changes ${count} of # devices; the others already have these settings, or a narrower layer overrides them.`,
  });
}

type Setting = GuardPreview['settings'][number];

const fieldNames: Record<Setting['field'], string> = {
  capture_enabled: t`Capture`,
  intercept_hosts: t`Hosts`,
  intercept_processes: t`Only for processes`,
  blocked_hosts: t`Blocked hosts`,
  blocked_processes: t`Blocked processes`,
  enforce_policies: t`Policy enforcement`,
  pause_minutes: t`Longest pause, min`,
  coding_agents: t`Coding agents`,
  tool_checks: t`Tool checks`,
};

/** Describes the change of a setting, such as `Capture: off → on`. */
export const settingText = ({ field, before, after }: Omit<Setting, 'device_count'>): string =>
  t`${fieldNames[field]}: ${valueText(before)} → ${valueText(after)}`;

function valueText(value: Setting['before']): string {
  if (typeof value === 'boolean') return value ? t`on` : t`off`;
  return Array.isArray(value) ? value.join(', ') || t`none` : String(value);
}
