import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import { type Recording, recordsPrompts } from '#agent/core/coding-agents/recording.ts';
import { createBlock } from './toml-block.ts';

const block = createBlock(null);

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
  return { text: block.add(present, tableOf(recording)) };
}

/** Codex reports the input and output of tools at every level; the control plane drops them. */
function tableOf(recording: Recording): string {
  const { endpoint, key } = recording;
  const logs = `endpoint = ${quoted(`${endpoint}/v1/logs`)}, protocol = "binary"`;
  const headers = `headers = { "x-svc-key" = ${quoted(key)} }`;
  return `[otel]
log_user_prompt = ${recordsPrompts(recording)}
exporter = { otlp-http = { ${logs}, ${headers} } }
trace_exporter = "none"
metrics_exporter = "none"
`;
}

/** A basic string in TOML has the same syntax as a string in JSON. */
const quoted = (text: string): string => JSON.stringify(text);
