import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { recordsPrompts } from '#domain/coding-agents/recording-level.ts';
import { RELAY_PATH } from '#domain/coding-agents/relay-address.ts';
import { jsonKeyFile } from './json-key-file.ts';

/**
 * Gemini CLI and its fork Qwen Code read headers only from their environment, so they send to the
 * agent, which adds the key. A single switch covers prompts, answers and tool inputs; the control
 * plane drops the excess.
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
