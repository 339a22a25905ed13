import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { recordsPrompts } from '#domain/coding-agents/recording-level.ts';
import { jsonKeyFile } from './json-key-file.ts';

/**
 * GitHub Copilot (CLI and VS Code) has one managed file for all settings. The agent writes only its
 * key `telemetry`.
 *
 * https://docs.github.com/en/copilot/reference/enterprise-managed-settings
 */
export const copilotFile = (path: string): ManagedFile<Recording> =>
  jsonKeyFile({
    tool: 'GitHub Copilot',
    path,
    key: 'telemetry',
    valueOf: (recording) => ({ value: telemetryOf(recording) }),
    // Only the agent's own setting contains a recording key.
    isOurs: (telemetry) => JSON.stringify(telemetry ?? null).includes('"svc_sd_'),
  });

/**
 * Copilot can only send texts and the content of tools together; the control plane drops the
 * excess.
 */
const telemetryOf = (recording: Recording) => ({
  enabled: true,
  endpoint: recording.endpoint,
  protocol: 'otlp-http',
  captureContent: recordsPrompts(recording),
  lockCaptureContent: true,
  headers: { 'x-svc-key': recording.key },
});
