import { join } from 'node:path';

/** A command-line tool, or a client library with a script, that calls a model. */
export interface Tool {
  name: string;
  registry: 'npm' | 'PyPI';
  /** The package with its version, so that each run tests the same. */
  package: string;
  /** The name of its program, or of the interpreter; default: the name of the tool. */
  program?: string;
  /** The id in the catalog of apps; null for a library, whose script is not in the catalog. */
  app: string | null;
  model: string;
  environment: Record<string, string>;
  /** The arguments of its program. */
  args: (prompt: string) => string[];
}

/** Longer than any tool takes unless it hangs. */
const MAX_SECONDS = 90;

const KEY = 'sk-test-0123456789abcdefghij';

export const tools: readonly Tool[] = [
  {
    name: 'claude',
    registry: 'npm',
    package: '@anthropic-ai/claude-code@2.1.330',
    app: 'claude-code',
    model: 'claude-sonnet-4-6',
    environment: {
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    args: (prompt) => ['-p', prompt, '--model', 'claude-sonnet-4-6'],
  },
  {
    name: 'codex',
    registry: 'npm',
    package: '@openai/codex@0.169.0',
    app: 'codex-cli',
    model: 'gpt-5',
    environment: { CODEX_API_KEY: KEY, OPENAI_API_KEY: KEY },
    args: (prompt) => ['exec', '--skip-git-repo-check', '--model', 'gpt-5', prompt],
  },
  {
    name: 'gemini',
    registry: 'npm',
    package: '@google/gemini-cli@0.61.0',
    app: 'gemini-cli',
    model: 'gemini-2.5-flash',
    environment: { GEMINI_API_KEY: KEY, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    args: (prompt) => ['-m', 'gemini-2.5-flash', '-p', prompt],
  },
  {
    name: 'opencode',
    registry: 'npm',
    package: 'opencode-ai@1.18.33',
    app: 'opencode',
    model: 'claude-sonnet-4-6',
    environment: { ANTHROPIC_API_KEY: KEY },
    args: (prompt) => ['run', '-m', 'anthropic/claude-sonnet-4-6', prompt],
  },
  {
    name: 'qwen',
    registry: 'npm',
    package: '@qwen-code/qwen-code@0.24.4',
    app: 'qwen-code',
    model: 'gpt-4o',
    environment: {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: 'https://api.openai.com/v1',
      OPENAI_MODEL: 'gpt-4o',
    },
    args: (prompt) => ['--auth-type', 'openai', '-p', prompt],
  },
  {
    name: 'copilot',
    registry: 'npm',
    package: '@github/copilot@1.0.102',
    app: 'copilot-cli',
    model: 'gpt-4o',
    environment: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: 'https://api.openai.com/v1',
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'gpt-4o',
    },
    args: (prompt) => ['-s', '-p', prompt],
  },
  {
    name: 'llm',
    registry: 'PyPI',
    package: 'llm==0.36',
    app: 'llm',
    model: 'gpt-4o',
    environment: { OPENAI_API_KEY: KEY },
    args: (prompt) => ['-m', 'gpt-4o', prompt],
  },
  pythonLibrary('openai', '3.54.0', 'gpt-4o'),
  pythonLibrary('anthropic', '2.12.0', 'claude-sonnet-4-6'),
];

function pythonLibrary(name: string, version: string, model: string): Tool {
  return {
    name: `${name}-python`,
    registry: 'PyPI',
    package: `${name}==${version}`,
    program: 'python',
    app: null,
    model,
    environment: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY },
    args: (prompt) => [join(import.meta.dirname, 'ask.py'), name, prompt],
  };
}

const programFolders = { npm: 'node_modules/.bin', PyPI: 'python/bin' } as const;

/** The command that runs a tool in an empty folder. */
export const commandOf = (
  { name, registry, program = name, environment, args }: Tool,
  prompt: string,
  { installed, folder }: { installed: string; folder: string },
): string[] => [
  'timeout',
  String(MAX_SECONDS),
  'env',
  '-C',
  folder,
  ...Object.entries(environment).map(([key, value]) => `${key}=${value}`),
  join(installed, programFolders[registry], program),
  ...args(prompt),
];
