import type { SettingCheck } from './entry.ts';

const check = (
  flag: SettingCheck['flag'],
  format: SettingCheck['format'],
  file: string,
  key: string[],
  ...values: SettingCheck['values']
): SettingCheck => ({ flag, format, file, key, values });

const BYPASS = 'bypass_permissions';
const BROAD = 'broad_host_permissions';

const claude = ['.claude/settings.json', '.claude/settings.local.json'].flatMap((file) => [
  check(BYPASS, 'json', file, ['permissions', 'defaultMode'], 'bypassPermissions'),
  check(BYPASS, 'json', file, ['permissions', 'allow'], 'Bash', 'Bash(*)', 'Bash(*:*)'),
  check(BROAD, 'json', file, ['permissions', 'allow'], 'WebFetch', 'WebFetch(domain:*)'),
  check(BROAD, 'json', file, ['sandbox', 'network', 'allowedDomains'], '*'),
]);

const CODEX_FILE = '.codex/config.toml';
const GEMINI_FILE = '.gemini/settings.json';

/** Settings that disable a protection, by the tool's catalog id. */
export const settingChecks = {
  'claude-code': claude,
  'codex-cli': [
    check(BYPASS, 'toml', CODEX_FILE, ['sandbox_mode'], 'danger-full-access'),
    check(BROAD, 'toml', CODEX_FILE, ['sandbox_workspace_write', 'network_access'], true),
  ],
  'gemini-cli': [
    check(BYPASS, 'json', GEMINI_FILE, ['general', 'defaultApprovalMode'], 'yolo'),
    check(BYPASS, 'json', GEMINI_FILE, ['autoAccept'], true),
  ],
  'cursor-cli': [
    check(BYPASS, 'json', '.cursor/cli-config.json', ['permissions', 'allow'], 'Shell(*)'),
  ],
  opencode: [check(BYPASS, 'json', '.config/opencode/opencode.json', ['permission'], 'allow')],
  aider: [check(BYPASS, 'yaml', '.aider.conf.yml', ['yes-always'], true)],
  goose: [check(BYPASS, 'yaml', '.config/goose/config.yaml', ['GOOSE_MODE'], 'auto')],
  amp: [check(BYPASS, 'json', '.config/amp/settings.json', ['amp.dangerouslyAllowAll'], true)],
} satisfies Record<string, SettingCheck[]>;
