import type { GuardConfig } from '#contract/guard.ts';
import { formatMany } from '../format.ts';
import { otherFields } from './other-fields.ts';

const captureWords = { true: 'capture on', false: 'capture off', undefined: 'capture inherited' };

const lists = { intercept_hosts: 'hosts', ...otherFields } as const;

/** So many names are said, the others counted. */
const fewNames = 3;

/** What a change did, such as `capture on; hosts: + claude.ai, − api.openai.com`. */
export function describeChange(before: GuardConfig | null, after: GuardConfig | null): string {
  if (after === null) return 'layer removed: everything is inherited';
  const was = before ?? {};
  const capture =
    was.capture_enabled === after.capture_enabled ? [] : [captureWords[`${after.capture_enabled}`]];
  const changed = Object.entries(lists).flatMap(([field, name]) => {
    const text = describeList(was[field as keyof typeof lists], after[field as keyof typeof lists]);
    return text === undefined ? [] : [`${name.toLowerCase()}: ${text}`];
  });
  return [...capture, ...changed].join('; ') || 'nothing set';
}

/** What a layer sets, such as `capture on; hosts: claude.ai`. */
export function describeState(config: GuardConfig | null): string {
  if (config === null) return 'no layer: everything inherited';
  const { capture_enabled } = config;
  const capture = capture_enabled === undefined ? [] : [captureWords[`${capture_enabled}`]];
  const set = Object.entries(lists).flatMap(([field, name]) => {
    const names = config[field as keyof typeof lists];
    return names ? [`${name.toLowerCase()}: ${names.join(', ') || 'none'}`] : [];
  });
  return [...capture, ...set].join('; ') || 'nothing set';
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
  const rest = all.length - fewNames;
  const said = all.slice(0, fewNames).join(', ');
  return rest > 0 ? `${said} and ${formatMany(rest, 'more change')}` : said;
}
