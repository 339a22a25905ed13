import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import {
  HOOK_TIMEOUT_SECONDS,
  hookCommand,
  type Hooks,
} from '#agent/core/tool-checks/hook-command.ts';
import { createBlock } from '../coding-agents/toml-block.ts';

/**
 * Requirements of Codex. Hooks in them need no confirmation by the user, who cannot disable them.
 * The agent's part is a block at the end.
 *
 * https://developers.openai.com/codex/hooks (managed hooks)
 */
export const codexHookFile = (folder: string): ManagedFile<Hooks> => ({
  tool: 'Codex',
  path: `${folder}/requirements.toml`,
  withSettings: (present, hooks) => withHooks(present ?? '', folder, hooks),
  withoutSettings: block.without,
});

const block = createBlock('hooks');

function withHooks(present: string, folder: string, hooks: Hooks): DesiredContent {
  const own = block.read(present);
  if (own === null) return { error: 'is not valid TOML' };
  if ('hooks' in own) return { error: 'already has a table [hooks]' };
  // TOML allows a table only once. Hooks are enabled by default, so an existing table without the
  // key is fine.
  const features = 'features' in own ? '' : '[features]\nhooks = true\n\n';
  return {
    text: block.add(
      present,
      `${features}[hooks]
managed_dir = ${JSON.stringify(folder)}

[[hooks.PreToolUse]]
matcher = ".*"

[[hooks.PreToolUse.hooks]]
type = "command"
command = ${JSON.stringify(hookCommand('codex', hooks))}
timeout = ${HOOK_TIMEOUT_SECONDS}
`,
    ),
  };
}
