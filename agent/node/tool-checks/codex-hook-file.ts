import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import { CODEX_HOOKS_FEATURE, codexHooksTable } from '#domain/coding-agents/codex-settings.ts';
import type { Hooks } from '#domain/coding-agents/hook-command.ts';
import { createTomlBlock } from '../coding-agents/marked-block.ts';
import { CODEX_HOOKS_OFF, codexFeatures, switchesCodexHooksOff } from './codex-hooks-feature.ts';

/**
 * Requirements of Codex. The agent's part is a block at the end.
 */
export const codexHookFile = (folder: string): ManagedFile<Hooks> => ({
  tool: 'Codex',
  path: `${folder}/requirements.toml`,
  withSettings: (present, hooks) => withHooks(present ?? '', folder, hooks),
  withoutSettings: block.without,
});

const block = createTomlBlock('hooks');

function withHooks(present: string, folder: string, hooks: Hooks): DesiredContent {
  const own = block.read(present);
  if (own === null) return { error: 'is not valid TOML' };
  if ('hooks' in own) return { error: 'already has a table [hooks]' };
  if (switchesCodexHooksOff(own)) return { error: CODEX_HOOKS_OFF };
  // TOML allows a table only once. Without the key, hooks are on unless a user switches them off.
  const features = codexFeatures(own) === undefined ? CODEX_HOOKS_FEATURE : '';
  return { text: block.add(present, `${features}${codexHooksTable(folder, hooks)}`) };
}
