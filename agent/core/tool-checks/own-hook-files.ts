import { claudeCodeHooks } from '#domain/coding-agents/claude-code-settings.ts';
import type { ManagedFile } from '../coding-agents/managed-file.ts';
import {
  HOOK_TIMEOUT_SECONDS,
  hookCommand,
  type Hooks,
} from '#domain/coding-agents/hook-command.ts';

/** Next to `90-gatehouse.json`, which is for recording; this file is for checks. */
const CLAUDE_NAME = '91-gatehouse-hooks.json';
const COPILOT_NAME = '90-gatehouse.json';

/** Hooks of every tool, in a file that Claude Code merges. */
export const claudeHookFile = (folder: string): ManagedFile<Hooks> =>
  ownFile('Claude Code', `${folder}/managed-settings.d/${CLAUDE_NAME}`, (hooks) => ({
    hooks: claudeCodeHooks(hooks),
  }));

/** https://docs.github.com/en/copilot/reference/hooks-reference: policy hooks, of the CLI. */
export const copilotHookFile = (folder: string): ManagedFile<Hooks> =>
  ownFile('GitHub Copilot', `${folder}/policy.d/${COPILOT_NAME}`, (hooks) => ({
    version: 1,
    hooks: {
      preToolUse: [
        { type: 'command', bash: hookCommand('copilot', hooks), timeoutSec: HOOK_TIMEOUT_SECONDS },
      ],
    },
  }));

const ownFile = (
  tool: string,
  path: string,
  contentOf: (hooks: Hooks) => object,
): ManagedFile<Hooks> => ({
  tool,
  path,
  withSettings: (_, hooks) => ({ text: `${JSON.stringify(contentOf(hooks), null, 2)}\n` }),
  withoutSettings: () => null,
});
