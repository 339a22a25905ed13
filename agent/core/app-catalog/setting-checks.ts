import type { SettingCheck } from './entry.ts';

const check = (
  flag: SettingCheck['flag'],
  format: SettingCheck['format'],
  file: string,
  key: string[],
  ...values: SettingCheck['values']
): SettingCheck => ({ flag, format, file, key, values });

const bypass = 'bypass_permissions';
const broad = 'broad_host_permissions';

const claude = ['.claude/settings.json', '.claude/settings.local.json'].flatMap((file) => [
  check(bypass, 'json', file, ['permissions', 'defaultMode'], 'bypassPermissions'),
  check(bypass, 'json', file, ['permissions', 'allow'], 'Bash', 'Bash(*)', 'Bash(*:*)'),
  check(broad, 'json', file, ['permissions', 'allow'], 'WebFetch', 'WebFetch(domain:*)'),
  check(broad, 'json', file, ['sandbox', 'network', 'allowedDomains'], '*'),
]);

const codexFile = '.codex/config.toml';
const geminiFile = '.gemini/settings.json';

/** Settings of tools that switch a safety off, by the tool's id. */
export const settingChecks = {
  'claude-code': claude,
  'codex-cli': [
    check(bypass, 'toml', codexFile, ['sandbox_mode'], 'danger-full-access'),
    check(broad, 'toml', codexFile, ['sandbox_workspace_write', 'network_access'], true),
  ],
  'gemini-cli': [
    check(bypass, 'json', geminiFile, ['general', 'defaultApprovalMode'], 'yolo'),
    check(bypass, 'json', geminiFile, ['autoAccept'], true),
  ],
  'cursor-cli': [
    check(bypass, 'json', '.cursor/cli-config.json', ['permissions', 'allow'], 'Shell(*)'),
  ],
  opencode: [check(bypass, 'json', '.config/opencode/opencode.json', ['permission'], 'allow')],
  aider: [check(bypass, 'yaml', '.aider.conf.yml', ['yes-always'], true)],
  goose: [check(bypass, 'yaml', '.config/goose/config.yaml', ['GOOSE_MODE'], 'auto')],
  amp: [check(bypass, 'json', '.config/amp/settings.json', ['amp.dangerouslyAllowAll'], true)],
} satisfies Record<string, SettingCheck[]>;
