import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import {
  HOOK_TIMEOUT_SECONDS,
  hookCommand,
  type Hooks,
  isHookCommand,
} from '#domain/coding-agents/hook-command.ts';
import { editJson, readJsonObject } from '../coding-agents/edit-json.ts';

interface JsonHookFile {
  tool: string;
  path: string;
  /** Members of the file besides hooks. */
  otherMembers: Readonly<Record<string, unknown>>;
  /** The events to which the agent's entry is added. */
  events: readonly string[];
  entry: (hooks: Hooks) => object;
}

/** https://geminicli.com/docs/hooks/reference; times are in milliseconds. */
export const geminiHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookFile({
    tool: 'Gemini CLI',
    path,
    otherMembers: {},
    events: ['BeforeTool'],
    entry: (hooks) => ({
      matcher: '.*',
      hooks: [
        {
          name: 'gatehouse',
          type: 'command',
          command: hookCommand('gemini-cli', hooks),
          timeout: HOOK_TIMEOUT_SECONDS * 1000,
        },
      ],
    }),
  });

/** https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks; times are in milliseconds. */
export const qwenHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookFile({
    tool: 'Qwen Code',
    path,
    otherMembers: {},
    events: ['PreToolUse'],
    entry: (hooks) => ({
      matcher: '*',
      hooks: [
        {
          name: 'gatehouse',
          type: 'command',
          command: hookCommand('qwen-code', hooks),
          timeout: HOOK_TIMEOUT_SECONDS * 1000,
        },
      ],
    }),
  });

/** https://cursor.com/docs/agent/hooks */
export const cursorHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookFile({
    tool: 'Cursor',
    path,
    otherMembers: { version: 1 },
    events: ['beforeShellExecution', 'beforeMCPExecution', 'preToolUse'],
    entry: (hooks) => ({
      command: hookCommand('cursor', hooks),
      timeout: HOOK_TIMEOUT_SECONDS,
      failClosed: hooks.failMode === 'closed',
    }),
  });

/**
 * Manages the agent's entry in lists of hooks; other entries, comments and the layout stay
 * unchanged.
 */
const jsonHookFile = (file: JsonHookFile): ManagedFile<Hooks> => ({
  tool: file.tool,
  path: file.path,
  withSettings: (present, hooks) => withEntries(present ?? '', file, hooks),
  withoutSettings: (present) => withoutEntries(present, file),
});

function withEntries(
  present: string,
  { otherMembers, events, entry }: JsonHookFile,
  hooks: Hooks,
): DesiredContent {
  const content = readJsonObject(present);
  if (!content) return { error: 'is not a JSON object' };
  const before = content.hooks ?? {};
  if (!isObject(before)) return { error: 'has "hooks" that are not a JSON object' };
  const wanted = entry(hooks);
  let text = present;
  for (const [key, value] of Object.entries(otherMembers))
    if (content[key] === undefined) text = editJson(text, [key], value);
  for (const event of events) {
    const listed = before[event] ?? [];
    if (!Array.isArray(listed)) return { error: `has hooks of ${event} that are not a list` };
    const mine = listed.filter(isOurs);
    if (mine.length === 1 && JSON.stringify(mine[0]) === JSON.stringify(wanted)) continue;
    text = editJson(text, ['hooks', event], [...listed.filter((one) => !isOurs(one)), wanted]);
  }
  return { text };
}

function withoutEntries(present: string, { otherMembers, events }: JsonHookFile): string | null {
  const before = readJsonObject(present)?.hooks;
  if (!isObject(before)) return present;
  let text = present;
  for (const event of events) {
    const listed = before[event];
    if (!Array.isArray(listed) || !listed.some(isOurs)) continue;
    const others = listed.filter((one) => !isOurs(one));
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

const isOurs = (entry: unknown): boolean =>
  isObject(entry) &&
  (isHookCommand(entry.command) || (Array.isArray(entry.hooks) && entry.hooks.some(isOurs)));
