import type { CommandLineTool, SettingCheck } from './entry.ts';

type Signals = Omit<CommandLineTool, 'id' | 'name' | 'vendor' | 'kind'>;

const tool = (id: string, name: string, vendor: string, signals: Signals): CommandLineTool => ({
  id,
  name,
  vendor,
  kind: 'cli',
  ...signals,
});

const check = (
  flag: SettingCheck['flag'],
  format: SettingCheck['format'],
  file: string,
  key: string[],
  ...values: SettingCheck['values']
): SettingCheck => ({ flag, format, file, key, values });

const bypass = 'bypass_permissions';
const broad = 'broad_host_permissions';

const claudeChecks = ['.claude/settings.json', '.claude/settings.local.json'].flatMap((file) => [
  check(bypass, 'json', file, ['permissions', 'defaultMode'], 'bypassPermissions'),
  check(bypass, 'json', file, ['permissions', 'allow'], 'Bash', 'Bash(*)', 'Bash(*:*)'),
  check(broad, 'json', file, ['permissions', 'allow'], 'WebFetch', 'WebFetch(domain:*)'),
  check(broad, 'json', file, ['sandbox', 'network', 'allowedDomains'], '*'),
]);

const vendorTools: CommandLineTool[] = [
  tool('claude-code', 'Claude Code', 'Anthropic', {
    binaries: ['claude'],
    npm: ['@anthropic-ai/claude-code'],
    brew: ['claude-code', 'claude-code@latest'],
    installDirs: ['~/.local/share/claude/versions/'],
    homes: ['.claude', '.claude.json'],
    checks: claudeChecks,
  }),
  tool('codex-cli', 'Codex CLI', 'OpenAI', {
    binaries: ['codex'],
    npm: ['@openai/codex'],
    brew: ['codex'],
    homes: ['.codex'],
    checks: [
      check(bypass, 'toml', '.codex/config.toml', ['sandbox_mode'], 'danger-full-access'),
      check(
        broad,
        'toml',
        '.codex/config.toml',
        ['sandbox_workspace_write', 'network_access'],
        true,
      ),
    ],
  }),
  tool('gemini-cli', 'Gemini CLI', 'Google', {
    binaries: ['gemini'],
    npm: ['@google/gemini-cli'],
    brew: ['gemini-cli'],
    homes: ['.gemini'],
    checks: [
      check(bypass, 'json', '.gemini/settings.json', ['general', 'defaultApprovalMode'], 'yolo'),
      check(bypass, 'json', '.gemini/settings.json', ['autoAccept'], true),
    ],
  }),
  tool('copilot-cli', 'Copilot CLI', 'GitHub', {
    binaries: ['copilot'],
    npm: ['@github/copilot'],
    brew: ['copilot-cli'],
    homes: ['.copilot'],
  }),
  tool('cursor-cli', 'Cursor CLI', 'Anysphere', {
    binaries: ['cursor-agent'],
    brew: ['cursor-cli'],
    installDirs: ['~/.local/share/cursor-agent/versions/'],
    homes: ['.cursor'],
    checks: [
      check(bypass, 'json', '.cursor/cli-config.json', ['permissions', 'allow'], 'Shell(*)'),
    ],
  }),
  tool('kiro-cli', 'Kiro CLI', 'Amazon', {
    binaries: ['kiro-cli', 'kiro-cli-chat'],
    brew: ['kiro-cli'],
    homes: ['.kiro'],
  }),
  tool('amazon-q-cli', 'Amazon Q Developer CLI', 'Amazon', {
    binaries: ['q', 'qchat'],
    brew: ['amazon-q'],
    debs: ['amazon-q'],
    homes: ['.aws/amazonq', '.local/share/amazon-q'],
  }),
  tool('junie-cli', 'Junie', 'JetBrains', {
    binaries: ['junie'],
    npm: ['@jetbrains/junie', '@jetbrains/junie-cli'],
    brew: ['junie'],
    installDirs: ['~/.local/share/junie/'],
    homes: ['.junie'],
  }),
  tool('qwen-code', 'Qwen Code', 'Alibaba', {
    binaries: ['qwen'],
    npm: ['@qwen-code/qwen-code'],
    brew: ['qwen-code'],
    homes: ['.qwen'],
  }),
  tool('grok-cli', 'Grok CLI', 'xAI', {
    binaries: ['grok'],
    npm: ['@vibe-kit/grok-cli'],
    homes: ['.grok'],
  }),
  tool('mistral-vibe', 'Mistral Vibe', 'Mistral AI', {
    binaries: ['vibe'],
    pypi: ['mistral-vibe'],
    homes: ['.vibe'],
  }),
  tool('kimi-cli', 'Kimi CLI', 'Moonshot AI', {
    binaries: ['kimi'],
    pypi: ['kimi-cli'],
    homes: ['.kimi'],
  }),
  tool('devin-cli', 'Devin CLI', 'Cognition', {
    binaries: ['devin'],
    installDirs: ['~/.devin/bin/'],
    homes: ['.devin', '.local/share/devin'],
  }),
  tool('iflow-cli', 'iFlow CLI', 'iFlow', {
    binaries: ['iflow'],
    npm: ['@iflow-ai/iflow-cli'],
    homes: ['.iflow'],
  }),
];

const codingAgents: CommandLineTool[] = [
  tool('opencode', 'OpenCode', 'Anomaly', {
    binaries: ['opencode'],
    npm: ['opencode-ai'],
    npmNative: ['opencode'],
    brew: ['opencode'],
    installDirs: ['~/.opencode/bin/'],
    homes: ['.opencode', '.config/opencode', '.local/share/opencode'],
    checks: [check(bypass, 'json', '.config/opencode/opencode.json', ['permission'], 'allow')],
  }),
  tool('aider', 'Aider', 'Aider', {
    binaries: ['aider'],
    pypi: ['aider-chat'],
    brew: ['aider'],
    homes: ['.aider', '.aider.conf.yml'],
    checks: [check(bypass, 'yaml', '.aider.conf.yml', ['yes-always'], true)],
  }),
  tool('goose', 'Goose', 'Block', {
    binaries: ['goose'],
    brew: ['block-goose-cli'],
    homes: ['.config/goose', '.local/share/goose'],
    checks: [check(bypass, 'yaml', '.config/goose/config.yaml', ['GOOSE_MODE'], 'auto')],
  }),
  tool('amp', 'Amp', 'Sourcegraph', {
    binaries: ['amp'],
    npm: ['@sourcegraph/amp'],
    installDirs: ['~/.amp/bin/'],
    homes: ['.config/amp', '.amp'],
    checks: [check(bypass, 'json', '.config/amp/settings.json', ['amp.dangerouslyAllowAll'], true)],
  }),
  tool('crush', 'Crush', 'Charm', {
    binaries: ['crush'],
    npm: ['@charmland/crush'],
    brew: ['crush'],
    debs: ['crush'],
    homes: ['.config/crush', '.local/share/crush'],
  }),
  tool('continue-cli', 'Continue CLI', 'Continue', {
    binaries: ['cn'],
    npm: ['@continuedev/cli'],
    homes: ['.continue'],
  }),
  tool('cline-cli', 'Cline CLI', 'Cline', {
    binaries: ['cline'],
    npm: ['cline'],
    npmNative: ['@cline/cli'],
    homes: ['.cline'],
  }),
  tool('kilo-cli', 'Kilo Code CLI', 'Kilo', {
    binaries: ['kilo', 'kilocode'],
    npm: ['@kilocode/cli'],
    homes: ['.kilocode'],
  }),
  tool('auggie', 'Auggie', 'Augment', {
    binaries: ['auggie'],
    npm: ['@augmentcode/auggie'],
    homes: ['.augment'],
  }),
  tool('droid', 'Droid', 'Factory', {
    binaries: ['droid'],
    npm: ['droid'],
    npmNative: ['@factory/cli'],
    homes: ['.factory'],
  }),
  tool('openclaw', 'OpenClaw', 'OpenClaw', {
    binaries: ['openclaw', 'clawdbot'],
    npm: ['openclaw', 'clawdbot'],
    homes: ['.openclaw', '.clawdbot'],
  }),
  tool('hermes-agent', 'Hermes Agent', 'Nous Research', {
    binaries: ['hermes'],
    pypi: ['hermes-agent'],
    homes: ['.hermes'],
  }),
  tool('openhands', 'OpenHands', 'All Hands AI', {
    binaries: ['openhands'],
    pypi: ['openhands', 'openhands-ai'],
    homes: ['.openhands'],
  }),
  tool('open-interpreter', 'Open Interpreter', 'Open Interpreter', {
    binaries: ['interpreter'],
    pypi: ['open-interpreter'],
  }),
  tool('codebuff', 'Codebuff', 'Codebuff', { binaries: ['codebuff'], npm: ['codebuff'] }),
  tool('pi-agent', 'Pi', 'Mario Zechner', {
    binaries: ['pi'],
    npm: ['@mariozechner/pi-coding-agent'],
    homes: ['.pi/agent'],
  }),
];

const promptTools: CommandLineTool[] = [
  tool('llm', 'LLM', 'Simon Willison', {
    binaries: ['llm'],
    pypi: ['llm'],
    brew: ['llm'],
    homes: ['.config/io.datasette.llm'],
  }),
  tool('aichat', 'AIChat', 'sigoden', {
    binaries: ['aichat'],
    cargo: ['aichat'],
    brew: ['aichat'],
    homes: ['.config/aichat'],
  }),
  tool('mods', 'Mods', 'Charm', {
    binaries: ['mods'],
    brew: ['mods'],
    debs: ['mods'],
    homes: ['.config/mods', '.local/share/mods'],
  }),
  tool('shell-gpt', 'ShellGPT', 'Farkhod Sadykov', {
    binaries: ['sgpt'],
    pypi: ['shell-gpt'],
    homes: ['.config/shell_gpt'],
  }),
  tool('fabric-ai', 'Fabric', 'Daniel Miessler', {
    binaries: ['fabric', 'fabric-ai'],
    brew: ['fabric-ai'],
    homes: ['.config/fabric'],
  }),
  tool('gptme', 'gptme', 'gptme', {
    binaries: ['gptme'],
    pypi: ['gptme'],
    homes: ['.config/gptme'],
  }),
];

/** Agents and assistants of the terminal. */
export const commandLineTools: readonly CommandLineTool[] = [
  ...vendorTools,
  ...codingAgents,
  ...promptTools,
];
