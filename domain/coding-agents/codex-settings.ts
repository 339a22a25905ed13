import { HOOK_TIMEOUT_SECONDS, hookCommand, type Hooks } from './hook-command.ts';
import { recordsPrompts, type RecordingTarget } from './recording-level.ts';

/** The domain of Codex' managed preferences. */
export const CODEX_DOMAIN = 'com.openai.codex';

/** The key in the domain with managed configuration: TOML in Base64. */
export const CODEX_CONFIGURATION_KEY = 'config_toml_base64';

/** The key in the domain with requirements, which users cannot change: TOML in Base64. */
export const CODEX_REQUIREMENTS_KEY = 'requirements_toml_base64';

/**
 * The table that makes Codex report its work. Codex reports the input and output of tools at every
 * level; the control plane drops them.
 *
 * https://developers.openai.com/codex/enterprise/managed-configuration
 */
export function codexTable(target: RecordingTarget, headers: Record<string, string> = {}): string {
  const exporter = [
    `endpoint = ${quoted(`${target.endpoint}/v1/logs`)}`,
    'protocol = "binary"',
    ...(Object.keys(headers).length > 0 ? [`headers = ${inlineTable(headers)}`] : []),
  ];
  return `[otel]
log_user_prompt = ${recordsPrompts(target)}
exporter = { otlp-http = { ${exporter.join(', ')} } }
trace_exporter = "none"
metrics_exporter = "none"
`;
}

/**
 * The table that makes Codex request a check before each tool. Hooks in requirements need no
 * confirmation by the user, who cannot disable them. Codex requires a folder for their programs.
 *
 * https://developers.openai.com/codex/hooks (managed hooks)
 */
export const codexHooksTable = (folder: string, hooks: Hooks): string => `[hooks]
managed_dir = ${quoted(folder)}

[[hooks.PreToolUse]]
matcher = ".*"

[[hooks.PreToolUse.hooks]]
type = "command"
command = ${quoted(hookCommand('codex', hooks))}
timeout = ${HOOK_TIMEOUT_SECONDS}
`;

/** Enables hooks, for requirements without a table `features`. */
export const CODEX_HOOKS_FEATURE = '[features]\nhooks = true\n\n';

const inlineTable = (members: Record<string, string>): string =>
  `{ ${Object.entries(members)
    .map(([key, value]) => `${quoted(key)} = ${quoted(value)}`)
    .join(', ')} }`;

/** A basic string in TOML has the same syntax as a string in JSON. */
const quoted = (text: string): string => JSON.stringify(text);
