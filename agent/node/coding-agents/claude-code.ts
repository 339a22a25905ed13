import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { claudeCodeEnvironment } from '#domain/coding-agents/claude-code-settings.ts';

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
    ownFile(`${folder}/managed-settings.d/${NAME}`, (recording) => ({
      otelHeadersHelper: `cat '${headers}'`,
      env: claudeCodeEnvironment(recording),
    })),
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
