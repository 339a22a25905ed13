import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import { editJson, readJsonObject } from './edit-json.ts';

export interface JsonHookEntries<Purpose> {
  tool: string;
  path: string;
  /** Members of the file besides hooks. */
  otherMembers: Readonly<Record<string, unknown>>;
  /** The events to which the agent's entry is added. */
  events: readonly string[];
  /** The setting that lets the tool run hooks, which users can otherwise change; null: none. */
  hookSwitch: HookSwitch | null;
  /** Whether an agent wrote the command of an entry, for the same purpose. */
  isOurs: (command: unknown) => boolean;
  entry: (purpose: Purpose) => object;
}

export interface HookSwitch {
  /** The names of the member and of the objects around it. */
  path: readonly string[];
  /** The value that switches hooks on. */
  value: boolean;
}

/**
 * Manages the agent's entry in lists of hooks; other entries, comments and the layout stay
 * unchanged.
 */
export const jsonHookEntries = <Purpose>(file: JsonHookEntries<Purpose>): ManagedFile<Purpose> => ({
  tool: file.tool,
  path: file.path,
  withSettings: (present, purpose) => withEntries(present ?? '', file, purpose),
  withoutSettings: (present, original = null) => withoutEntries(present, file, original),
});

function withEntries<Purpose>(
  present: string,
  { otherMembers, events, entry, hookSwitch, isOurs }: JsonHookEntries<Purpose>,
  purpose: Purpose,
): DesiredContent {
  const content = readJsonObject(present);
  if (!content) return { error: 'is not a JSON object' };
  const before = content.hooks ?? {};
  if (!isObject(before)) return { error: 'has "hooks" that are not a JSON object' };
  const wanted = entry(purpose);
  let text = present;
  if (hookSwitch !== null) {
    const { path, value } = hookSwitch;
    const found = valueAt(content, path);
    if (found !== undefined && found !== value)
      return { error: `switches hooks off ("${path.join('.')}" is not ${value})` };
    if (found === undefined) text = editJson(text, path, value);
  }
  for (const [key, value] of Object.entries(otherMembers))
    if (content[key] === undefined) text = editJson(text, [key], value);
  for (const event of events) {
    const listed = before[event] ?? [];
    if (!Array.isArray(listed)) return { error: `has hooks of ${event} that are not a list` };
    const mine = listed.filter((one) => hasOurs(one, isOurs));
    if (mine.length === 1 && JSON.stringify(mine[0]) === JSON.stringify(wanted)) continue;
    text = editJson(
      text,
      ['hooks', event],
      [...listed.filter((one) => !hasOurs(one, isOurs)), wanted],
    );
  }
  return { text };
}

function withoutEntries(
  present: string,
  { otherMembers, events, hookSwitch, isOurs }: Omit<JsonHookEntries<never>, 'entry'>,
  original: string | null,
): string | null {
  const before = readJsonObject(present)?.hooks;
  if (!isObject(before)) return present;
  let text = present;
  for (const event of events) {
    const listed = before[event];
    if (!Array.isArray(listed) || !listed.some((one) => hasOurs(one, isOurs))) continue;
    const others = listed.filter((one) => !hasOurs(one, isOurs));
    text = editJson(text, ['hooks', event], others.length > 0 ? others : undefined);
  }
  if (text === present) return present;
  text = withoutEmpty(text, 'hooks');
  if (hookSwitch !== null) text = withoutSwitch(text, hookSwitch, original);
  const rest = readJsonObject(text) ?? {};
  return Object.keys(rest).every((key) => key in otherMembers) ? null : text;
}

/** Removes the member if it is an empty object. */
function withoutEmpty(text: string, name: string): string {
  const value = readJsonObject(text)?.[name];
  return isObject(value) && Object.keys(value).length === 0
    ? editJson(text, [name], undefined)
    : text;
}

/** An administrator's own value, from before the agent wrote the file, stays. */
function withoutSwitch(text: string, { path, value }: HookSwitch, original: string | null): string {
  const isOurs =
    valueAt(readJsonObject(text), path) === value &&
    valueAt(readJsonObject(original ?? ''), path) === undefined;
  const [outer = ''] = path;
  return isOurs ? withoutEmpty(editJson(text, path, undefined), outer) : text;
}

/** The value at a path; null if the path leads through anything but objects. */
const valueAt = (content: unknown, path: readonly string[]): unknown =>
  path.reduce(
    (value, name) => (isObject(value) ? value[name] : value === undefined ? undefined : null),
    content,
  );

type Content = Record<string, unknown>;

const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOurs = (entry: unknown, isOurs: (command: unknown) => boolean): boolean =>
  isObject(entry) &&
  (isOurs(entry.command) ||
    (Array.isArray(entry.hooks) && entry.hooks.some((one) => hasOurs(one, isOurs))));
