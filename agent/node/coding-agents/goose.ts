import type { DesiredContent, ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { NO_RELAY } from './gemini.ts';
import { createYamlBlock } from './marked-block.ts';

const KEY = 'otel_exporter_otlp_endpoint';

const block = createYamlBlock();

/**
 * Goose merges this file under the file of the user, on Linux and macOS. It takes from it only where
 * to send: it reads headers, and whether to report texts, from its environment. So it sends to the
 * agent, which adds the key, and its settings are the same at every level.
 *
 * `system_config_path` and `promote_config_to_env` in `crates/goose/src/config/base.rs` (001a90f2)
 * and `crates/goose/src/otel/otlp.rs` (c4728502) of https://github.com/aaif-goose/goose
 */
export const gooseFile = (path: string): ManagedFile<Recording> => ({
  tool: 'Goose',
  path,
  withSettings: (present, { relay }) =>
    relay === null ? NO_RELAY : withEndpoint(present ?? '', relay),
  withoutSettings: block.without,
});

function withEndpoint(present: string, relay: string): DesiredContent {
  const own = block.read(present);
  if (own === null) return { error: 'is not a YAML mapping' };
  if (KEY in own) return { error: `already has a key "${KEY}"` };
  const text = block.add(present, `${KEY}: ${JSON.stringify(relay)}\n`);
  // A mapping in braces cannot be continued by lines.
  if (block.parse(text)?.[KEY] !== relay) return { error: 'is not a YAML mapping of lines' };
  return { text };
}
