import { type EditorExtension, github, marketplace } from './entry.ts';

type Row = readonly [id: string, name: string, vendor: string, item: string];

/** Extensions of VS Code by their id in the marketplace. */
const ofVscode: readonly Row[] = [
  [
    'intellicode-examples',
    'IntelliCode API Usage Examples',
    'Microsoft',
    'visualstudioexptteam.intellicode-api-usage-examples',
  ],
  ['blackbox-agent', 'BLACKBOX AI Agent', 'Blackbox', 'blackboxapp.blackboxagent'],
  ['askcodi', 'AskCodi', 'Assistiv AI', 'askcodi.askcodi-vscode'],
  [
    'websearch-for-copilot',
    'Web Search for Copilot',
    'Microsoft',
    'ms-vscode.vscode-websearchforcopilot',
  ],
  [
    'mermaid-for-copilot',
    'Mermaid Chart for Copilot',
    'Microsoft',
    'ms-vscode.copilot-mermaid-diagram',
  ],
  ['microsoft-foundry', 'Microsoft Foundry', 'Microsoft', 'teamsdevapp.vscode-ai-foundry'],
  ['easycode-chatgpt', 'EasyCode ChatGPT', 'EasyCode', 'easycodeai.chatgpt-gpt4-gpt3-vscode'],
  ['pochi-extension', 'Pochi', 'TabbyML', 'tabbyml.pochi'],
  ['claude-code-chat', 'Claude Code Chat', 'Andre Pimenta', 'andrepimenta.claude-code-chat'],
  [
    'oai-compatible-copilot',
    'OAI Compatible Provider for Copilot',
    'Johnny Zhao',
    'johnny-zhao.oai-compatible-copilot',
  ],
  ['ollama-autocoder', 'Ollama Autocoder', '10nates', '10nates.ollama-autocoder'],
  ['chatgpt-timkmecl', 'ChatGPT', 'Tim Kmecl', 'timkmecl.chatgpt'],
];

/** Plugins of Vim and Neovim by their repository on GitHub. */
const ofVim: readonly Row[] = [
  ['cmp-tabnine', 'cmp-tabnine', 'tzachar', 'tzachar/cmp-tabnine'],
  ['ollama-nvim', 'ollama.nvim', 'nomnivore', 'nomnivore/ollama.nvim'],
  ['copilot-lsp', 'copilot-lsp', 'copilotlsp-nvim', 'copilotlsp-nvim/copilot-lsp'],
  ['copilot-cmp', 'copilot-cmp', 'zbirenbaum', 'zbirenbaum/copilot-cmp'],
  ['blink-cmp-copilot', 'blink-cmp-copilot', 'giuxtaposition', 'giuxtaposition/blink-cmp-copilot'],
  ['blink-copilot', 'blink-copilot', 'fang2hou', 'fang2hou/blink-copilot'],
  ['copilot-lualine', 'copilot-lualine', 'AndreM222', 'andrem222/copilot-lualine'],
  [
    'codecompanion-history',
    'codecompanion-history.nvim',
    'ravitemer',
    'ravitemer/codecompanion-history.nvim',
  ],
  ['cmp-ai', 'cmp-ai', 'tzachar', 'tzachar/cmp-ai'],
  ['vim-chatgpt', 'vim-chatgpt', 'CoderCookE', 'codercooke/vim-chatgpt'],
  ['wtf-nvim', 'wtf.nvim', 'piersolenski', 'piersolenski/wtf.nvim'],
  ['ogpt-nvim', 'ogpt.nvim', 'huynle', 'huynle/ogpt.nvim'],
  ['claude-fzf', 'claude-fzf.nvim', 'pittcat', 'pittcat/claude-fzf.nvim'],
  ['amp-nvim', 'amp.nvim', 'Sourcegraph', 'sourcegraph/amp.nvim'],
  ['gemini-cli-nvim', 'nvim-gemini-companion', 'gutsavgupta', 'gutsavgupta/nvim-gemini-companion'],
  ['codex-nvim', 'codex.nvim', 'johnseth97', 'johnseth97/codex.nvim'],
  ['agentic-nvim', 'agentic.nvim', 'carlos-algms', 'carlos-algms/agentic.nvim'],
  ['gemini-autocomplete', 'gemini.nvim', 'kiddos', 'kiddos/gemini.nvim'],
  ['flyboy-nvim', 'flyboy', 'CamdenClark', 'camdenclark/flyboy'],
  ['nvim-llama', 'nvim-llama', 'jpmcb', 'jpmcb/nvim-llama'],
  ['gptmodels-nvim', 'GPTModels.nvim', 'Aaronik', 'aaronik/gptmodels.nvim'],
  ['oatmeal-nvim', 'oatmeal.nvim', 'dustinblackman', 'dustinblackman/oatmeal.nvim'],
  ['llm-nvim-melbaldove', 'llm.nvim', 'melbaldove', 'melbaldove/llm.nvim'],
  ['ai-vim', 'ai.vim', 'aduros', 'aduros/ai.vim'],
  ['copilotchat-jellydn', 'CopilotChat.nvim', 'jellydn', 'jellydn/copilotchat.nvim'],
  ['ai-nvim-gera2ld', 'ai.nvim', 'gera2ld', 'gera2ld/ai.nvim'],
  ['llm-nvim-kurama', 'llm.nvim', 'Kurama622', 'kurama622/llm.nvim'],
  ['claude-vim', 'claude.vim', 'pasky', 'pasky/claude.vim'],
  ['gemini-nvim-meinside', 'gemini.nvim', 'meinside', 'meinside/gemini.nvim'],
];

export const moreEditorExtensions: readonly EditorExtension[] = [
  ...ofVscode.map(([id, name, vendor, item]): EditorExtension => ({
    id,
    name,
    vendor,
    kind: 'editor_extension',
    source: marketplace(item),
    vscode: [item],
  })),
  ...ofVim.map(([id, name, vendor, repository]): EditorExtension => ({
    id,
    name,
    vendor,
    kind: 'editor_extension',
    source: github(repository),
    neovim: [repository],
  })),
];
