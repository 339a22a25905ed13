import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import {
  HOOK_TIMEOUT_SECONDS,
  hookCommand,
  type Hooks,
  isHookCommand,
} from '#domain/coding-agents/hook-command.ts';
import { jsonHookEntries } from '../coding-agents/json-hook-entries.ts';

/**
 * Times are in milliseconds. Of `hooksConfig.enabled`, the value in this file has precedence over
 * those of users; the list `hooksConfig.disabled` is the union of all files.
 *
 * https://geminicli.com/docs/hooks/reference, and `SETTINGS_SCHEMA` of @google/gemini-cli 0.61.0
 */
export const geminiHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookEntries({
    tool: 'Gemini CLI',
    path,
    otherMembers: {},
    hookSwitch: { path: ['hooksConfig', 'enabled'], value: true },
    events: ['BeforeTool'],
    isOurs: isHookCommand,
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

/**
 * Times are in milliseconds. Of `disableAllHooks`, the value in this file has precedence over those
 * of users: `mergeSettings` in @qwen-code/qwen-code 0.24.4.
 *
 * https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
 */
export const qwenHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookEntries({
    tool: 'Qwen Code',
    path,
    otherMembers: {},
    hookSwitch: { path: ['disableAllHooks'], value: false },
    events: ['PreToolUse'],
    isOurs: isHookCommand,
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
  jsonHookEntries({
    tool: 'Cursor',
    path,
    otherMembers: { version: 1 },
    hookSwitch: null,
    events: ['beforeShellExecution', 'beforeMCPExecution', 'preToolUse'],
    isOurs: isHookCommand,
    entry: (hooks) => ({
      command: hookCommand('cursor', hooks),
      timeout: HOOK_TIMEOUT_SECONDS,
      failClosed: hooks.failMode === 'closed',
    }),
  });
