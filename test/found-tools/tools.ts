export interface Tool {
  /** The name of the package. */
  name: string;
  /** Its id in the catalog of apps. */
  app: string;
}

const tool = (name: string, app: string): Tool => ({ name, app });

export const npmTools: readonly Tool[] = [
  tool('@anthropic-ai/claude-code', 'claude-code'),
  tool('@openai/codex', 'codex-cli'),
  tool('@google/gemini-cli', 'gemini-cli'),
  tool('@qwen-code/qwen-code', 'qwen-code'),
  tool('opencode-ai', 'opencode'),
  tool('@github/copilot', 'copilot-cli'),
  tool('@charmland/crush', 'crush'),
  tool('@continuedev/cli', 'continue-cli'),
  tool('cline', 'cline-cli'),
  tool('@kilocode/cli', 'kilo-cli'),
  tool('@augmentcode/auggie', 'auggie'),
  tool('@sourcegraph/amp', 'amp'),
  tool('droid', 'droid'),
];

export const pythonTools: readonly Tool[] = [
  tool('llm', 'llm'),
  tool('aider-chat', 'aider'),
  tool('shell-gpt', 'shell-gpt'),
];

/** Packages of Debian or Ubuntu; those that are not in the sources of the machine are skipped. */
export const debianTools: readonly Tool[] = [tool('python3-huggingface-hub', 'hugging-face-cli')];
