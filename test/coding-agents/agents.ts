import { join } from 'node:path';

/** A coding agent from npm that runs without a terminal and may use its tools. */
export interface CodingAgent {
  /** The agent name of its runs. */
  name: string;
  /** The package with its version, so that each run tests the same. */
  package: string;
  program: string;
  /** The only processor architecture of its package. */
  arch?: NodeJS.Architecture;
  model: string;
  /** Its tool for commands, as named in policies. */
  tool: string;
  environment: (provider: string) => Record<string, string>;
  /**
   * A file in the home of the user: settings that it needs to start, that switch hooks and telemetry
   * off, which must have no effect, or a hook that the agent cannot write, which sends to the agent's
   * socket.
   */
  settings?: (socket: string) => { path: string; text: string };
  /** The number of calls for each prompt that it does not report. */
  unreported?: number;
  args: (prompt: string, provider: string) => string[];
}

/** Longer than any of them takes if it does not hang. */
const MAX_SECONDS = 300;

const KEY = 'sk-test-0123456789abcdefghij';

export const codingAgents: readonly CodingAgent[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.330',
    program: 'claude',
    model: 'claude-sonnet-4-6',
    tool: 'Bash',
    environment: (provider) => ({
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: provider,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    args: (prompt) => ['-p', prompt, '--model', 'claude-sonnet-4-6', '--allowedTools', 'Bash'],
  },
  {
    name: 'codex',
    package: '@openai/codex@0.169.0',
    program: 'codex',
    model: 'gpt-5',
    tool: 'Bash',
    environment: () => ({ STAND_IN_KEY: KEY }),
    args: (prompt, provider) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '-c',
      `model_providers.standin={name="standin",base_url="${provider}/v1",wire_api="responses",env_key="STAND_IN_KEY"}`,
      '-c',
      'model_provider="standin"',
      '--model',
      'gpt-5',
      prompt,
    ],
  },
  {
    name: 'gemini-cli',
    package: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    model: 'gemini-2.5-flash',
    tool: 'run_shell_command',
    environment: (provider) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: provider,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    // With another base URL it assumes a gateway, unless this is set.
    settings: () => ({
      path: '.gemini/settings.json',
      text: JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        hooksConfig: { enabled: false },
        telemetry: { enabled: false },
      }),
    }),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
  },
  {
    name: 'qwen-code',
    package: '@qwen-code/qwen-code@0.24.4',
    program: 'qwen',
    model: 'gpt-4o',
    tool: 'run_shell_command',
    environment: (provider) => ({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${provider}/v1`,
      OPENAI_MODEL: 'gpt-4o',
    }),
    settings: () => ({
      path: '.qwen/settings.json',
      text: JSON.stringify({ disableAllHooks: true, telemetry: { enabled: false } }),
    }),
    args: (prompt) => ['--auth-type', 'openai', '--yolo', '-p', prompt],
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    program: 'opencode',
    model: 'claude-sonnet-4-6',
    tool: 'bash',
    environment: (provider) => ({
      ANTHROPIC_API_KEY: KEY,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: { anthropic: { options: { baseURL: `${provider}/v1` } } },
      }),
    }),
    // The title of the session, which plugins do not see.
    unreported: 1,
    args: (prompt) => ['run', '-m', 'anthropic/claude-sonnet-4-6', prompt],
  },
  {
    name: 'github-copilot',
    package: '@github/copilot@1.0.102',
    program: 'copilot',
    model: 'gpt-4o',
    tool: 'bash',
    environment: (provider) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${provider}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'gpt-4o',
    }),
    args: (prompt) => ['--allow-all-tools', '-s', '-p', prompt],
  },
  {
    name: 'goose',
    // The program itself; the package `@aaif/goose` is a terminal interface for it.
    package: '@aaif/goose-binary-linux-x64@1.52.0',
    program: 'goose-binary-linux-x64',
    arch: 'x64',
    model: 'gpt-4o',
    tool: 'shell',
    environment: (provider) => ({
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'gpt-4o',
      GOOSE_DISABLE_KEYRING: '1',
      OPENAI_API_KEY: KEY,
      OPENAI_HOST: provider,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    }),
    settings: (socket) => ({
      path: '.agents/plugins/gatehouse/hooks/hooks.json',
      text: JSON.stringify({ hooks: { PreToolUse: [{ hooks: [gooseHook(socket)] }] } }),
    }),
    // The title of the session, which has no span.
    unreported: 1,
    args: (prompt) => ['run', '-t', prompt],
  },
];

/** The hook of docs/coding-agents.md, with another socket. */
const gooseHook = (socket: string) => ({
  type: 'command',
  command: `curl -q -sS --fail --noproxy '*' --max-time 35 --unix-socket ${socket} --data-binary @- http://gatehouse-agent/hook/goose`,
  timeout: 40,
});

export const commandOf = (
  { program, environment, args }: CodingAgent,
  prompt: string,
  { installed, folder, provider }: { installed: string; folder: string; provider: string },
): string[] => [
  'timeout',
  String(MAX_SECONDS),
  'env',
  '-C',
  folder,
  ...Object.entries(environment(provider)).map(([key, value]) => `${key}=${value}`),
  join(installed, 'node_modules/.bin', program),
  ...args(prompt, provider),
];
