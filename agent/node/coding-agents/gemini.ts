import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import { RELAY_PATH, type Recording, recordsPrompts } from '#agent/core/coding-agents/recording.ts';
import { jsonKeyFile } from './json-key-file.ts';

/**
 * Gemini CLI, and Qwen Code, which is a fork of it, read headers from their environment only, so
 * they send to the agent, which adds the key. Their one switch for texts covers prompts, answers and
 * the input of tools; the control plane drops what is too much.
 *
 * https://geminicli.com/docs/cli/telemetry
 */
export const geminiFile = (
  tool: 'Gemini CLI' | 'Qwen Code',
  path: string,
): ManagedFile<Recording> =>
  jsonKeyFile({
    tool,
    path,
    key: 'telemetry',
    valueOf: (recording) =>
      recording.relay === null ? NO_RELAY : { value: telemetryOf(recording, recording.relay) },
    isOurs: (telemetry) => JSON.stringify(telemetry ?? null).includes(`${RELAY_PATH}"`),
  });

export const NO_RELAY = { error: 'is not written, because the agent cannot listen for telemetry' };

const telemetryOf = (recording: Recording, relay: string) => ({
  enabled: true,
  target: 'local',
  otlpEndpoint: relay,
  otlpProtocol: 'http',
  logPrompts: recordsPrompts(recording),
});
