import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import { editJson, readJsonObject } from './edit-json.ts';

export interface JsonHookEntries<Purpose> {
  tool: string;
  path: string;
  /** Members of the file besides hooks. */
  otherMembers: Readonly<Record<string, unknown>>;
  /** The events to which the agent's entry is added. */
  events: readonly string[];
  /** Whether an agent wrote the command of an entry, for the same purpose. */
  isOurs: (command: unknown) => boolean;
  entry: (purpose: Purpose) => object;
}

/**
 * Manages the agent's entry in lists of hooks; other entries, comments and the layout stay
 * unchanged.
 */
export const jsonHookEntries = <Purpose>(file: JsonHookEntries<Purpose>): ManagedFile<Purpose> => ({
  tool: file.tool,
  path: file.path,
  withSettings: (present, purpose) => withEntries(present ?? '', file, purpose),
  withoutSettings: (present) => withoutEntries(present, file),
});

function withEntries<Purpose>(
  present: string,
  { otherMembers, events, entry, isOurs }: JsonHookEntries<Purpose>,
  purpose: Purpose,
): DesiredContent {
  const content = readJsonObject(present);
  if (!content) return { error: 'is not a JSON object' };
  const before = content.hooks ?? {};
  if (!isObject(before)) return { error: 'has "hooks" that are not a JSON object' };
  const wanted = entry(purpose);
  let text = present;
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
  { otherMembers, events, isOurs }: Omit<JsonHookEntries<never>, 'entry'>,
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
  const rest = readJsonObject(text) ?? {};
  if (isObject(rest.hooks) && Object.keys(rest.hooks).length === 0) {
    text = editJson(text, ['hooks'], undefined);
    delete rest.hooks;
  }
  return Object.keys(rest).every((key) => key in otherMembers) ? null : text;
}

type Content = Record<string, unknown>;

const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOurs = (entry: unknown, isOurs: (command: unknown) => boolean): boolean =>
  isObject(entry) &&
  (isOurs(entry.command) ||
    (Array.isArray(entry.hooks) && entry.hooks.some((one) => hasOurs(one, isOurs))));
