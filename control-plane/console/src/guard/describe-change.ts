import { plural, t } from '@lingui/core/macro';
import type { GuardConfig } from '#contract/guard.ts';
import { codingAgentsText, pausesText, toolChecksText } from './setting-text.ts';

const switches = {
  capture_enabled: { on: t`capture on`, off: t`capture off`, inherited: t`capture inherited` },
  enforce_policies: {
    on: t`policy enforcement on`,
    off: t`policy enforcement off`,
    inherited: t`policy enforcement inherited`,
  },
} as const;
type SwitchField = keyof typeof switches;

const lists = {
  intercept_hosts: t`hosts`,
  intercept_processes: t`only for processes`,
  blocked_hosts: t`blocked hosts`,
  blocked_processes: t`blocked processes`,
} as const;

/** Maximum number of names to list. The remaining ones are counted. */
const LISTED_NAMES = 3;

/** Describes a change, such as `capture on; hosts: + claude.ai, − api.openai.com`. */
export function describeChange(before: GuardConfig | null, after: GuardConfig | null): string {
  if (after === null) return t`layer removed: everything is inherited`;
  const was = before ?? {};
  const switched = eachSwitch((field) =>
    was[field] === after[field] ? [] : wordsOf(field, after),
  );
  const pausing =
    was.pause_minutes === after.pause_minutes ? [] : [pausesText(after.pause_minutes)];
  const reporting =
    was.coding_agents === after.coding_agents ? [] : [codingAgentsText(after.coding_agents)];
  const checking = was.tool_checks === after.tool_checks ? [] : [toolChecksText(after.tool_checks)];
  const changed = Object.entries(lists).flatMap(([field, name]) => {
    const text = describeList(was[field as keyof typeof lists], after[field as keyof typeof lists]);
    return text === undefined ? [] : [t`${name}: ${text}`];
  });
  const overridden = describeOverrides(was.host_overrides, after.host_overrides);
  return (
    [...switched, ...pausing, ...reporting, ...checking, ...changed, ...overridden].join('; ') ||
    t`no settings`
  );
}

/** Describes a layer, such as `capture on; hosts: claude.ai`. */
export function describeState(config: GuardConfig | null): string {
  if (config === null) return t`no layer: everything inherited`;
  const switched = eachSwitch((field) =>
    config[field] === undefined ? [] : wordsOf(field, config),
  );
  const pausing = config.pause_minutes === undefined ? [] : [pausesText(config.pause_minutes)];
  const reporting =
    config.coding_agents === undefined ? [] : [codingAgentsText(config.coding_agents)];
  const checking = config.tool_checks === undefined ? [] : [toolChecksText(config.tool_checks)];
  const set = Object.entries(lists).flatMap(([field, name]) => {
    const names = config[field as keyof typeof lists];
    if (!names) return [];
    const listed = names.join(', ') || t`none`;
    return [t`${name}: ${listed}`];
  });
  const overridden = describeOverrides({}, config.host_overrides);
  return (
    [...switched, ...pausing, ...reporting, ...checking, ...set, ...overridden].join('; ') ||
    t`no settings`
  );
}

const eachSwitch = (describe: (field: SwitchField) => string[]): string[] =>
  (Object.keys(switches) as SwitchField[]).flatMap(describe);

/** Returns `capture on`, `capture off` or `capture inherited`. */
function wordsOf(field: SwitchField, { [field]: value }: GuardConfig): string[] {
  return [switches[field][stateOf(value)]];
}

const stateOf = (value: boolean | undefined): 'on' | 'off' | 'inherited' =>
  value === undefined ? 'inherited' : value ? 'on' : 'off';

type Names = readonly string[] | undefined;

function describeList(before: Names, after: Names): string | undefined {
  if (after === undefined) return before && t`inherited`;
  const had = new Set(before);
  const has = new Set(after);
  const added = [...has.difference(had)].map((name) => `+ ${name}`);
  const removed = [...had.difference(has)].map((name) => `− ${name}`);
  const all = [...added, ...removed];
  if (all.length === 0) return before === undefined ? t`none` : undefined;
  const remaining = all.length - LISTED_NAMES;
  const listed = all.slice(0, LISTED_NAMES).join(', ');
  return withMore(listed, remaining);
}

const withMore = (listed: string, remaining: number): string =>
  remaining > 0
    ? plural(remaining, {
        one: `${listed} and # more change`,
        other: `${listed} and # more changes`,
      })
    : listed;

type Overrides = GuardConfig['host_overrides'];

/** Describes changed overrides, such as `claude.ai on, api.openai.com inherited`. */
function describeOverrides(before: Overrides = {}, after: Overrides = {}): string[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (host) => before[host] !== after[host],
  );
  if (changed.length === 0) return [];
  const listed = changed.slice(0, LISTED_NAMES).map((host) => hostText(host, after[host]));
  const hosts = withMore(listed.join(', '), changed.length - listed.length);
  return [t`single hosts: ${hosts}`];
}

function hostText(host: string, value: boolean | undefined): string {
  if (value === undefined) return t`${host} inherited`;
  return value ? t`${host} on` : t`${host} off`;
}
