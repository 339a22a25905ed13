import type { GuardConfig } from '#contract/guard.ts';
import { formatMany } from '../format.ts';
import { otherFields } from './other-fields.ts';
import { pauseText } from './pause-text.ts';

const switches = {
  capture_enabled: 'capture',
  enforce_policies: 'policy enforcement',
} as const;
type SwitchField = keyof typeof switches;

const lists = { intercept_hosts: 'hosts', ...otherFields } as const;

/** Number of names to list; the remaining ones are counted. */
const listedNames = 3;

/** Describes a change, such as `capture on; hosts: + claude.ai, − api.openai.com`. */
export function describeChange(before: GuardConfig | null, after: GuardConfig | null): string {
  if (after === null) return 'layer removed: everything is inherited';
  const was = before ?? {};
  const switched = eachSwitch((field) =>
    was[field] === after[field] ? [] : wordsOf(field, after),
  );
  const pausing =
    was.pause_minutes === after.pause_minutes ? [] : [`pauses ${pauseText(after.pause_minutes)}`];
  const changed = Object.entries(lists).flatMap(([field, name]) => {
    const text = describeList(was[field as keyof typeof lists], after[field as keyof typeof lists]);
    return text === undefined ? [] : [`${name.toLowerCase()}: ${text}`];
  });
  return [...switched, ...pausing, ...changed].join('; ') || 'nothing set';
}

/** Describes a layer, such as `capture on; hosts: claude.ai`. */
export function describeState(config: GuardConfig | null): string {
  if (config === null) return 'no layer: everything inherited';
  const switched = eachSwitch((field) =>
    config[field] === undefined ? [] : wordsOf(field, config),
  );
  const pausing =
    config.pause_minutes === undefined ? [] : [`pauses ${pauseText(config.pause_minutes)}`];
  const set = Object.entries(lists).flatMap(([field, name]) => {
    const names = config[field as keyof typeof lists];
    return names ? [`${name.toLowerCase()}: ${names.join(', ') || 'none'}`] : [];
  });
  return [...switched, ...pausing, ...set].join('; ') || 'nothing set';
}

const eachSwitch = (describe: (field: SwitchField) => string[]): string[] =>
  (Object.keys(switches) as SwitchField[]).flatMap(describe);

/** `capture on`, `capture off` or `capture inherited`. */
function wordsOf(field: SwitchField, { [field]: value }: GuardConfig): string[] {
  const state = value === undefined ? 'inherited' : value ? 'on' : 'off';
  return [`${switches[field]} ${state}`];
}

type Names = readonly string[] | undefined;

function describeList(before: Names, after: Names): string | undefined {
  if (after === undefined) return before && 'inherited';
  const had = new Set(before);
  const has = new Set(after);
  const added = [...has.difference(had)].map((name) => `+ ${name}`);
  const removed = [...had.difference(has)].map((name) => `− ${name}`);
  const all = [...added, ...removed];
  if (all.length === 0) return before === undefined ? 'none' : undefined;
  const remaining = all.length - listedNames;
  const listed = all.slice(0, listedNames).join(', ');
  return remaining > 0 ? `${listed} and ${formatMany(remaining, 'more change')}` : listed;
}
