import type { AgentFile } from './loaded-entry.ts';
import { loadingTools, type LoadingTool } from './loading-tools.ts';

type Places = Pick<AgentFile, 'home' | 'project' | 'managed' | 'plugin'>;

/** Settings folders of the editors of the VS Code family. */
const editorFolders = ['Code', 'Code - Insiders', 'VSCodium'];

export const userPrompts = (suffix: string) =>
  editorFolders.flatMap((folder) => [
    `{app-data}/${folder}/User/prompts/*${suffix}`,
    `{app-data}/${folder}/User/profiles/*/prompts/*${suffix}`,
  ]);

export const managedClaude = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];
export const managedWindsurf = ['/etc/windsurf', '/Library/Application Support/Windsurf'];
export const inEach = (dirs: readonly string[], ...files: string[]) =>
  dirs.flatMap((dir) => files.map((file) => `${dir}/${file}`));

/** Returns a function that creates entries of one kind, named after the tool and `word`. */
export const agentFilesOf =
  (kind: AgentFile['kind'], word: string) =>
  (tool: LoadingTool, source: string, places: Places): AgentFile => {
    const [name, vendor] = loadingTools[tool];
    return {
      id: `${tool}-${word.replaceAll(' ', '-')}`,
      name: `${name} ${word}`,
      vendor,
      kind,
      source,
      tool,
      ...places,
    };
  };

/** Base addresses of the documentation of some tools. */
export const docs = {
  aider: 'https://aider.chat/docs/usage/conventions.html',
  amp: 'https://ampcode.com/manual',
  antigravity: 'https://antigravity.google/docs/rules-workflows',
  augment: 'https://docs.augmentcode.com/setup-augment/guidelines',
  claude: 'https://code.claude.com/docs/en',
  cline: 'https://docs.cline.bot',
  codex: 'https://developers.openai.com/codex',
  continue: 'https://docs.continue.dev/customize/deep-dives',
  copilot: 'https://docs.github.com/en/copilot',
  crush: 'https://github.com/charmbracelet/crush',
  cursor: 'https://cursor.com/docs/context',
  droid: 'https://docs.factory.ai/cli/configuration',
  gemini: 'https://geminicli.com/docs/cli',
  hermes: 'https://hermes-agent.nousresearch.com/docs',
  kilo: 'https://kilo.ai/docs',
  kiro: 'https://kiro.dev/docs',
  openclaw: 'https://docs.openclaw.ai',
  opencode: 'https://opencode.ai/docs',
  qwen: 'https://qwenlm.github.io/qwen-code-docs/en/users/features',
  roo: 'https://docs.roocode.com/features',
  vscode: 'https://code.visualstudio.com/docs/copilot/customization',
  windsurf: 'https://docs.windsurf.com/windsurf/cascade',
} as const;
