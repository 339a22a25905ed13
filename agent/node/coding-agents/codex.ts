import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { codexTable } from '#domain/coding-agents/codex-settings.ts';
import { createTomlBlock } from './marked-block.ts';

const block = createTomlBlock(null);

/**
 * Codex has one managed file, and the agent's table is a block at its end. Codex reads headers only
 * from its configuration, so the block contains the key.
 *
 * https://developers.openai.com/codex/enterprise/managed-configuration
 */
export const codexFile = (path: string): ManagedFile<Recording> => ({
  tool: 'Codex',
  path,
  withSettings: (present, recording) => withTable(present ?? '', recording),
  withoutSettings: block.without,
});

function withTable(present: string, recording: Recording): DesiredContent {
  const own = block.read(present);
  if (own === null) return { error: 'is not valid TOML' };
  if ('otel' in own) return { error: 'already has a table [otel]' };
  return { text: block.add(present, codexTable(recording, { 'x-svc-key': recording.key })) };
}
