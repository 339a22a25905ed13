import type { GuardConfig } from '#contract/guard.ts';
import { formatMany } from '../format.ts';
import { codingAgentsText, pauseText, toolChecksText } from './setting-text.ts';
import { otherFields } from './other-fields.ts';

const switches = {
  capture_enabled: 'capture',
  enforce_policies: 'policy enforcement',
} as const;
type SwitchField = keyof typeof switches;

const lists = { intercept_hosts: 'hosts', ...otherFields } as const;

/** Number of names to list; the remaining ones are counted. */
const LISTED_NAMES = 3;

/** Describes a change, such as `capture on; hosts: + claude.ai, − api.openai.com`. */
export function describeChange(before: GuardConfig | null, after: GuardConfig | null): string {
  if (after === null) return 'layer removed: everything is inherited';
  const was = before ?? {};
  const switched = eachSwitch((field) =>
    was[field] === after[field] ? [] : wordsOf(field, after),
  );
  const pausing =
    was.pause_minutes === after.pause_minutes ? [] : [`pauses ${pauseText(after.pause_minutes)}`];
  const reporting =
    was.coding_agents === after.coding_agents
      ? []
      : [`coding agents ${codingAgentsText(after.coding_agents)}`];
  const checking =
    was.tool_checks === after.tool_checks
      ? []
      : [`tool calls ${toolChecksText(after.tool_checks)}`];
  const changed = Object.entries(lists).flatMap(([field, name]) => {
    const text = describeList(was[field as keyof typeof lists], after[field as keyof typeof lists]);
    return text === undefined ? [] : [`${name.toLowerCase()}: ${text}`];
  });
  const overridden = describeOverrides(was.host_overrides, after.host_overrides);
  return (
    [...switched, ...pausing, ...reporting, ...checking, ...changed, ...overridden].join('; ') ||
    'nothing set'
  );
}

/** Describes a layer, such as `capture on; hosts: claude.ai`. */
export function describeState(config: GuardConfig | null): string {
  if (config === null) return 'no layer: everything inherited';
  const switched = eachSwitch((field) =>
    config[field] === undefined ? [] : wordsOf(field, config),
  );
  const pausing =
    config.pause_minutes === undefined ? [] : [`pauses ${pauseText(config.pause_minutes)}`];
  const reporting =
    config.coding_agents === undefined
      ? []
      : [`coding agents ${codingAgentsText(config.coding_agents)}`];
  const checking =
    config.tool_checks === undefined ? [] : [`tool calls ${toolChecksText(config.tool_checks)}`];
  const set = Object.entries(lists).flatMap(([field, name]) => {
    const names = config[field as keyof typeof lists];
    return names ? [`${name.toLowerCase()}: ${names.join(', ') || 'none'}`] : [];
  });
  const overridden = describeOverrides({}, config.host_overrides);
  return (
    [...switched, ...pausing, ...reporting, ...checking, ...set, ...overridden].join('; ') ||
    'nothing set'
  );
}

const eachSwitch = (describe: (field: SwitchField) => string[]): string[] =>
  (Object.keys(switches) as SwitchField[]).flatMap(describe);

/** `capture on`, `capture off` or `capture inherited`. */
function wordsOf(field: SwitchField, { [field]: value }: GuardConfig): string[] {
  return [`${switches[field]} ${stateOf(value)}`];
}

const stateOf = (value: boolean | undefined): string =>
  value === undefined ? 'inherited' : value ? 'on' : 'off';

type Names = readonly string[] | undefined;

function describeList(before: Names, after: Names): string | undefined {
  if (after === undefined) return before && 'inherited';
  const had = new Set(before);
  const has = new Set(after);
  const added = [...has.difference(had)].map((name) => `+ ${name}`);
  const removed = [...had.difference(has)].map((name) => `− ${name}`);
  const all = [...added, ...removed];
  if (all.length === 0) return before === undefined ? 'none' : undefined;
  const remaining = all.length - LISTED_NAMES;
  const listed = all.slice(0, LISTED_NAMES).join(', ');
  return remaining > 0 ? `${listed} and ${formatMany(remaining, 'more change')}` : listed;
}

type Overrides = GuardConfig['host_overrides'];

/** `claude.ai on, api.openai.com inherited`. */
function describeOverrides(before: Overrides = {}, after: Overrides = {}): string[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (host) => before[host] !== after[host],
  );
  if (changed.length === 0) return [];
  const listed = changed.slice(0, LISTED_NAMES).map((host) => `${host} ${stateOf(after[host])}`);
  const remaining = changed.length - listed.length;
  const more = remaining > 0 ? ` and ${formatMany(remaining, 'more change')}` : '';
  return [`single hosts: ${listed.join(', ')}${more}`];
}
