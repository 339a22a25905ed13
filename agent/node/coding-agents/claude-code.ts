import type { ManagedFile } from '../../core/coding-agents/managed-file.ts';
import {
  type Recording,
  recordsPrompts,
  recordsTools,
} from '../../core/coding-agents/recording.ts';

/**
 * Claude Code merges in the order of the numbers: files below 90 before this one, those above after
 * it.
 */
const NAME = '90-gatehouse.json';

/**
 * Claude Code (2.1.83 and later) merges the files of a folder into its managed settings, so this
 * file belongs to the agent alone. The key is in a second file: every command that Claude Code
 * starts would inherit an environment variable, and sessions would keep an expired key.
 *
 * https://code.claude.com/docs/en/settings and /monitoring-usage
 */
export function claudeCodeFiles(folder: string): ManagedFile<Recording>[] {
  const headers = `${folder}/gatehouse-otel-headers.json`;
  return [
    ownFile(headers, headersOf),
    ownFile(`${folder}/managed-settings.d/${NAME}`, (recording) => settingsOf(recording, headers)),
  ];
}

const ownFile = (
  path: string,
  contentOf: (recording: Recording) => object,
): ManagedFile<Recording> => ({
  tool: 'Claude Code',
  path,
  withSettings: (_, recording) => ({ text: `${JSON.stringify(contentOf(recording), null, 2)}\n` }),
  withoutSettings: () => null,
});

const headersOf = ({ key }: Recording): object => ({ 'x-svc-key': key });

/** Sets every variable at every level, so that a user's own setting cannot raise the level. */
function settingsOf(recording: Recording, headers: string): object {
  const tools = recordsTools(recording);
  return {
    otelHeadersHelper: `cat '${headers}'`,
    env: {
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      OTEL_LOGS_EXPORTER: 'otlp',
      // Only metrics include the number of changed lines.
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_TRACES_EXPORTER: tools ? 'otlp' : 'none',
      // Only spans include the output of tools.
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: flag(tools),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_ENDPOINT: recording.endpoint,
      OTEL_LOG_USER_PROMPTS: flag(recordsPrompts(recording)),
      OTEL_LOG_ASSISTANT_RESPONSES: flag(recordsPrompts(recording)),
      OTEL_LOG_TOOL_DETAILS: flag(tools),
      OTEL_LOG_TOOL_CONTENT: flag(tools),
      OTEL_LOG_RAW_API_BODIES: '0',
    },
  };
}

const flag = (on: boolean): string => (on ? '1' : '0');
