import { HOOK_TIMEOUT_SECONDS, hookCommand, type Hooks } from './hook-command.ts';
import { recordsPrompts, recordsTools, type RecordingTarget } from './recording-level.ts';

/** The domain of Claude Code's managed preferences, whose keys are those of its settings files. */
export const CLAUDE_CODE_DOMAIN = 'com.anthropic.claudecode';

/**
 * The environment that makes Claude Code report its work. Sets every variable at every level, so
 * that a user's own setting cannot raise the level.
 *
 * https://code.claude.com/docs/en/monitoring-usage
 */
export function claudeCodeEnvironment(target: RecordingTarget): Record<string, string> {
  const tools = recordsTools(target);
  return {
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    OTEL_LOGS_EXPORTER: 'otlp',
    // Only metrics include the number of changed lines.
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: tools ? 'otlp' : 'none',
    // Only spans include the output of tools.
    CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: flag(tools),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_ENDPOINT: target.endpoint,
    OTEL_LOG_USER_PROMPTS: flag(recordsPrompts(target)),
    OTEL_LOG_ASSISTANT_RESPONSES: flag(recordsPrompts(target)),
    OTEL_LOG_TOOL_DETAILS: flag(tools),
    OTEL_LOG_TOOL_CONTENT: flag(tools),
    OTEL_LOG_RAW_API_BODIES: '0',
  };
}

/** The hooks that make Claude Code request a check before each tool: https://code.claude.com/docs/en/hooks */
export const claudeCodeHooks = (hooks: Hooks) => ({
  PreToolUse: [
    {
      matcher: '*',
      hooks: [
        {
          type: 'command',
          command: hookCommand('claude-code', hooks),
          timeout: HOOK_TIMEOUT_SECONDS,
        },
      ],
    },
  ],
});

const flag = (on: boolean): string => (on ? '1' : '0');
