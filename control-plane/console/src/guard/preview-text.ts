import type { GuardLevel } from '#contract/guard.ts';
import type { GuardPreview } from '../data/guard-sources.ts';
import { formatCount, formatMany } from '../format.ts';
import { isPerApp } from './rollout.ts';

/** How many devices a change concerns, and on how many of these something changes. */
export function devicesText(
  { device_count: all, changed_count: changed }: GuardPreview,
  level: GuardLevel,
): string {
  if (isPerApp(level)) return 'Changes no device: devices do not capture by application yet.';
  if (all === 0) return 'No device is in this scope yet.';
  if (changed === 0) return `Changes nothing on the ${formatMany(all, 'device')} in this scope.`;
  if (changed === all) return `Changes ${formatMany(all, 'device')}.`;
  return (
    `Changes ${formatCount(changed)} of ${formatMany(all, 'device')}; ` +
    'the others have the same already, or a narrower layer decides.'
  );
}

type Setting = GuardPreview['settings'][number];

const fieldNames: Record<Setting['field'], string> = {
  capture_enabled: 'Capture',
  intercept_hosts: 'Hosts',
  intercept_processes: 'Only for processes',
  blocked_hosts: 'Blocked hosts',
  blocked_processes: 'Blocked processes',
  enforce_policies: 'Policy enforcement',
  pause_minutes: 'Longest pause, min',
  coding_agents: 'Coding agents',
  tool_checks: 'Tool checks',
};

/** `Capture: off → on`. */
export const settingText = ({ field, before, after }: Omit<Setting, 'device_count'>): string =>
  `${fieldNames[field]}: ${valueText(before)} → ${valueText(after)}`;

function valueText(value: Setting['before']): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
}
