import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import {
  HOOK_TIMEOUT_SECONDS,
  hookCommand,
  type Hooks,
  isHookCommand,
} from '#domain/coding-agents/hook-command.ts';
import { jsonHookEntries } from '../coding-agents/json-hook-entries.ts';

/** https://geminicli.com/docs/hooks/reference; times are in milliseconds. */
export const geminiHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookEntries({
    tool: 'Gemini CLI',
    path,
    otherMembers: {},
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

/** https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks; times are in milliseconds. */
export const qwenHookFile = (path: string): ManagedFile<Hooks> =>
  jsonHookEntries({
    tool: 'Qwen Code',
    path,
    otherMembers: {},
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
    events: ['beforeShellExecution', 'beforeMCPExecution', 'preToolUse'],
    isOurs: isHookCommand,
    entry: (hooks) => ({
      command: hookCommand('cursor', hooks),
      timeout: HOOK_TIMEOUT_SECONDS,
      failClosed: hooks.failMode === 'closed',
    }),
  });
