import { type EditorExtension, github, marketplace } from './entry.ts';
import { moreEditorExtensions } from './more-editor-extensions.ts';

type Ids = Pick<EditorExtension, 'vscode' | 'jetbrains' | 'neovim' | 'zed'>;

/**
 * Creates an entry. Its source is the marketplace page of the first VS Code id, or the first
 * repository.
 */
const extension = (
  id: string,
  name: string,
  vendor: string,
  ids: Ids & { source?: string },
): EditorExtension => {
  const [item = ''] = ids.vscode ?? [];
  const [repository = ''] = ids.neovim ?? [];
  const source = item === '' ? github(repository) : marketplace(item);
  return { id, name, vendor, kind: 'editor_extension', source, ...ids };
};

const jetbrains = (plugin: string): string => `https://plugins.jetbrains.com/plugin/${plugin}`;

const ofVendors: EditorExtension[] = [
  extension('github-copilot', 'GitHub Copilot', 'GitHub', {
    vscode: ['github.copilot'],
    jetbrains: ['com.github.copilot'],
    neovim: ['github/copilot.vim'],
  }),
  extension('github-copilot-chat', 'GitHub Copilot Chat', 'GitHub', {
    vscode: ['github.copilot-chat'],
  }),
  extension('github-copilot-azure', 'GitHub Copilot for Azure', 'Microsoft', {
    vscode: ['ms-azuretools.vscode-azure-github-copilot'],
  }),
  extension('claude-code-extension', 'Claude Code', 'Anthropic', {
    vscode: ['anthropic.claude-code'],
    jetbrains: ['com.anthropic.code.plugin'],
  }),
  extension('codex-extension', 'Codex', 'OpenAI', { vscode: ['openai.chatgpt'] }),
  extension('gemini-code-assist', 'Gemini Code Assist', 'Google', {
    vscode: ['google.geminicodeassist'],
    jetbrains: ['com.google.tools.ij.aiplugin'],
  }),
  extension('gemini-cli-companion', 'Gemini CLI Companion', 'Google', {
    vscode: ['google.gemini-cli-vscode-ide-companion'],
  }),
  extension('qwen-code-companion', 'Qwen Code Companion', 'Alibaba', {
    vscode: ['qwenlm.qwen-code-vscode-ide-companion'],
  }),
  extension('tongyi-lingma', 'Tongyi Lingma', 'Alibaba', {
    vscode: ['alibaba-cloud.tongyi-lingma'],
    jetbrains: ['com.alibabacloud.intellij.cosy'],
  }),
  extension('mistral-vibe-extension', 'Mistral Vibe Code', 'Mistral AI', {
    vscode: ['mistralai.mistral-vibe-code', 'mistralai.mistral-code'],
  }),
  extension('kimi-code-extension', 'Kimi Code', 'Moonshot AI', {
    vscode: ['moonshot-ai.kimi-code'],
  }),
  extension('amazon-q', 'Amazon Q', 'Amazon', {
    vscode: ['amazonwebservices.amazon-q-vscode'],
    jetbrains: ['amazon.q'],
  }),
  extension('jetbrains-ai-assistant', 'JetBrains AI Assistant', 'JetBrains', {
    source: jetbrains('22282-jetbrains-ai-assistant'),
    jetbrains: ['com.intellij.ml.llm'],
  }),
  extension('junie', 'Junie', 'JetBrains', {
    source: jetbrains('26104-jetbrains-junie'),
    jetbrains: ['org.jetbrains.junie'],
  }),
  extension('intellicode', 'IntelliCode', 'Microsoft', {
    vscode: ['visualstudioexptteam.vscodeintellicode'],
  }),
  extension('ai-toolkit', 'AI Toolkit', 'Microsoft', {
    vscode: ['ms-windows-ai-studio.windows-ai-studio'],
  }),
  extension('gitlab-duo', 'GitLab Duo', 'GitLab', {
    vscode: ['gitlab.gitlab-workflow'],
    jetbrains: ['com.gitlab.plugin'],
    neovim: ['gitlab-org/gitlab.vim'],
  }),
  extension('watsonx-code-assistant', 'watsonx Code Assistant', 'IBM', {
    vscode: ['ibm.wca-core'],
  }),
  extension('marscode', 'Trae AI (MarsCode)', 'ByteDance', {
    vscode: ['marscode.marscode-extension'],
  }),
  extension('comate', 'Baidu Comate', 'Baidu', { vscode: ['baiducomate.comate'] }),
  extension('codebuddy-extension', 'Tencent Cloud CodeBuddy', 'Tencent', {
    vscode: ['tencent-cloud.coding-copilot'],
  }),
  extension('codegeex', 'CodeGeeX', 'Zhipu AI', {
    vscode: ['aminer.codegeex'],
    jetbrains: ['com.aminer.codegeex'],
  }),
  extension('hugging-face-llm', 'llm-vscode', 'Hugging Face', {
    vscode: ['huggingface.huggingface-vscode', 'huggingface.huggingface-vscode-chat'],
    neovim: ['huggingface/llm.nvim'],
  }),
];

const agents: EditorExtension[] = [
  extension('cline', 'Cline', 'Cline', { vscode: ['saoudrizwan.claude-dev'] }),
  extension('roo-code', 'Roo Code', 'Roo', {
    vscode: ['rooveterinaryinc.roo-cline', 'rooveterinaryinc.roo-code-nightly'],
  }),
  extension('kilo-code', 'Kilo Code', 'Kilo', {
    vscode: ['kilocode.kilo-code'],
    jetbrains: ['ai.kilocode.jetbrains'],
  }),
  extension('kodu', 'Claude Coder', 'Kodu', { vscode: ['kodu-ai.claude-dev-experimental'] }),
  extension('opencode-extension', 'opencode', 'Anomaly', {
    vscode: ['sst-dev.opencode', 'sst-dev.opencode-v2'],
    neovim: ['nickvandyke/opencode.nvim'],
  }),
  extension('amp-extension', 'Amp', 'Sourcegraph', { vscode: ['sourcegraph.amp'] }),
  extension('factory-extension', 'Factory', 'Factory', {
    vscode: ['factory.factory-vscode-extension'],
  }),
  extension('augment', 'Augment', 'Augment', {
    vscode: ['augment.vscode-augment'],
    jetbrains: ['com.augmentcode'],
    neovim: ['augmentcode/augment.vim'],
  }),
  extension('zencoder', 'Zencoder', 'Zencoder', { vscode: ['zencoderai.zencoder'] }),
  extension('traycer', 'Traycer', 'Traycer', { vscode: ['traycer.traycer-vscode'] }),
  extension('pythagora', 'Pythagora', 'Pythagora', {
    vscode: ['pythagoratechnologies.gpt-pilot-vs-code', 'pythagoratechnologies.pythagora-vs-code'],
  }),
  extension('sixth', 'Sixth AI', 'Sixth', { vscode: ['sixth.sixth-ai'] }),
  extension('refact', 'Refact', 'Small Magellanic Cloud', {
    vscode: ['smallcloud.codify'],
    jetbrains: ['com.smallcloud.codify'],
  }),
  extension('continue', 'Continue', 'Continue', {
    vscode: ['continue.continue'],
    jetbrains: ['com.github.continuedev.continueintellijextension'],
  }),
  extension('devoxx-genie', 'DevoxxGenie', 'Devoxx', {
    source: github('devoxx/DevoxxGenieIDEAPlugin'),
    jetbrains: ['com.devoxx.genie'],
  }),
  extension('proxy-ai', 'ProxyAI', 'Carl-Robert Linnupuu', {
    source: github('carlrobertoh/ProxyAI'),
    jetbrains: ['ee.carlrobert.chatgpt'],
  }),
  extension('copilot-mcp', 'Copilot MCP', 'Automata Labs', {
    vscode: ['automatalabs.copilot-mcp'],
  }),
];

const completionAndChat: EditorExtension[] = [
  extension('cody', 'Cody', 'Sourcegraph', {
    vscode: ['sourcegraph.cody-ai'],
    jetbrains: ['com.sourcegraph.jetbrains'],
    neovim: ['sourcegraph/sg.nvim'],
  }),
  extension('windsurf-plugin', 'Windsurf Plugin', 'Cognition', {
    vscode: ['codeium.codeium'],
    jetbrains: ['com.codeium.intellij'],
    neovim: [
      'exafunction/windsurf.vim',
      'exafunction/windsurf.nvim',
      'exafunction/codeium.vim',
      'exafunction/codeium.nvim',
    ],
  }),
  extension('tabnine', 'Tabnine', 'Tabnine', {
    vscode: ['tabnine.tabnine-vscode', 'tabnine.tabnine-vscode-self-hosted-updater'],
    jetbrains: ['com.tabnine.TabNine'],
    neovim: ['codota/tabnine-nvim'],
  }),
  extension('supermaven', 'Supermaven', 'Supermaven', {
    vscode: ['supermaven.supermaven'],
    jetbrains: ['com.supermaven.intellij'],
    neovim: ['supermaven-inc/supermaven-nvim'],
  }),
  extension('tabby-extension', 'Tabby', 'TabbyML', {
    vscode: ['tabbyml.vscode-tabby'],
    jetbrains: ['com.tabbyml.intellij-tabby'],
    neovim: ['tabbyml/vim-tabby'],
  }),
  extension('llama-vscode', 'llama.vscode', 'ggml', {
    vscode: ['ggml-org.llama-vscode'],
    neovim: ['ggml-org/llama.vim'],
  }),
  extension('llama-coder', 'Llama Coder', 'ex3ndr', { vscode: ['ex3ndr.llama-coder'] }),
  extension('fitten-code', 'Fitten Code', 'Fitten Tech', { vscode: ['fittentech.fitten-code'] }),
  extension('codegpt', 'CodeGPT', 'Judini', { vscode: ['danielsanmedium.dscodegpt'] }),
  extension('twinny', 'twinny', 'Richard Macarthy', { vscode: ['rjmacarthy.twinny'] }),
  extension('blackbox', 'Blackbox AI', 'Blackbox', { vscode: ['blackboxapp.blackbox'] }),
  extension('genie-ai', 'ChatGPT - Genie AI', 'Genie AI', { vscode: ['genieai.chatgpt-vscode'] }),
  extension('vscode-chatgpt', 'ChatGPT', 'Gencay', { vscode: ['gencay.vscode-chatgpt'] }),
  extension('chatgpt-copilot', 'ChatGPT Copilot', 'feiskyer', {
    vscode: ['feiskyer.chatgpt-copilot'],
  }),
  extension('code-web-chat', 'Code Web Chat', 'Robert Piosik', {
    vscode: ['robertpiosik.gemini-coder'],
  }),
  extension('phind', 'Phind', 'Phind', { vscode: ['phind.phind'] }),
  extension('double', 'Double', 'Double', { vscode: ['doublebot.doublebot'] }),
  extension('pieces-extension', 'Pieces', 'Mesh Intelligent Technologies', {
    vscode: ['meshintelligenttechnologiesinc.pieces-vscode'],
  }),
];

const reviewAndTests: EditorExtension[] = [
  extension('qodo-gen', 'Qodo Gen', 'Qodo', { vscode: ['codium.codium'] }),
  extension('coderabbit', 'CodeRabbit', 'CodeRabbit', { vscode: ['coderabbit.coderabbit-vscode'] }),
  extension('sourcery', 'Sourcery', 'Sourcery', { vscode: ['sourcery.sourcery'] }),
  extension('bito', 'Bito', 'Bito', {
    vscode: ['bito.bito'],
    jetbrains: ['co.bito.bito-intellij'],
  }),
  extension('mintlify-writer', 'Mintlify Doc Writer', 'Mintlify', {
    vscode: ['mintlify.document'],
  }),
  extension('codeflash', 'Codeflash', 'Codeflash', { vscode: ['codeflash.codeflash'] }),
  extension('keploy', 'Keploy', 'Keploy', { vscode: ['keploy.keployio'] }),
];

const ofVim: EditorExtension[] = [
  extension('avante-nvim', 'avante.nvim', 'yetone', { neovim: ['yetone/avante.nvim'] }),
  extension('codecompanion-nvim', 'CodeCompanion', 'Oli Morris', {
    neovim: ['olimorris/codecompanion.nvim'],
  }),
  extension('copilot-lua', 'copilot.lua', 'Zach Birenbaum', { neovim: ['zbirenbaum/copilot.lua'] }),
  extension('copilotchat-nvim', 'CopilotChat.nvim', 'CopilotC-Nvim', {
    neovim: ['copilotc-nvim/copilotchat.nvim'],
  }),
  extension('chatgpt-nvim', 'ChatGPT.nvim', 'jackMort', { neovim: ['jackmort/chatgpt.nvim'] }),
  extension('parrot-nvim', 'parrot.nvim', 'Frank Röder', { neovim: ['frankroeder/parrot.nvim'] }),
  extension('gp-nvim', 'gp.nvim', 'Robitx', { neovim: ['robitx/gp.nvim'] }),
  extension('gen-nvim', 'gen.nvim', 'David Kunz', { neovim: ['david-kunz/gen.nvim'] }),
  extension('model-nvim', 'model.nvim', 'gsuuon', {
    neovim: ['gsuuon/model.nvim', 'gsuuon/llm.nvim'],
  }),
  extension('neural-vim', 'Neural', 'Dense Analysis', { neovim: ['dense-analysis/neural'] }),
  extension('neoai-nvim', 'neoai.nvim', 'Bryley', { neovim: ['bryley/neoai.nvim'] }),
  extension('ai-nvim', 'ai.nvim', 'S1M0N38', { neovim: ['s1m0n38/ai.nvim'] }),
  extension('vim-ai', 'vim-ai', 'Martin Bielik', { neovim: ['madox2/vim-ai'] }),
  extension('minuet-ai-nvim', 'minuet-ai.nvim', 'milanglacier', {
    neovim: ['milanglacier/minuet-ai.nvim'],
  }),
  extension('claudecode-nvim', 'claudecode.nvim', 'Coder', {
    neovim: ['coder/claudecode.nvim', 'greggh/claude-code.nvim'],
  }),
  extension('mcphub-nvim', 'MCP Hub', 'Ravitemer', { neovim: ['ravitemer/mcphub.nvim'] }),
  extension('sidekick-nvim', 'sidekick.nvim', 'Folke Lemaitre', {
    neovim: ['folke/sidekick.nvim'],
  }),
  extension('neocodeium', 'neocodeium', 'monkoose', { neovim: ['monkoose/neocodeium'] }),
  extension('aider-nvim', 'aider.nvim', 'Joshua Vial', {
    neovim: ['joshuavial/aider.nvim', 'georgesalkhouri/nvim-aider'],
  }),
];

const ofZed: EditorExtension[] = [
  extension('zed-mcp-github', 'GitHub MCP Server for Zed', 'Loam Studios', {
    source: 'https://zed.dev/extensions/mcp-server-github',
    zed: ['mcp-server-github'],
  }),
  extension('zed-mcp-context7', 'Context7 MCP Server for Zed', 'akbxr', {
    source: 'https://zed.dev/extensions/mcp-server-context7',
    zed: ['mcp-server-context7'],
  }),
  extension('zed-mcp-container-use', 'Container Use MCP Server for Zed', 'Dagger', {
    source: 'https://zed.dev/extensions/mcp-server-container-use',
    zed: ['mcp-server-container-use'],
  }),
  extension('zed-mcp-sequential-thinking', 'Sequential Thinking for Zed', 'Loam Studios', {
    source: github('LoamStudios/zed-mcp-server-sequential-thinking'),
    zed: ['mcp-server-sequential-thinking'],
  }),
  extension('zed-mcp-postgres', 'PostgreSQL Context Server for Zed', 'Zed Industries', {
    source: github('zed-extensions/postgres-context-server'),
    zed: ['postgres-context-server'],
  }),
  extension('zed-mcp-axiom', 'Axiom MCP Server for Zed', 'Axiom', {
    source: github('zed-extensions/mcp-server-axiom'),
    zed: ['mcp-server-axiom'],
  }),
];

/**
 * Extensions of the VS Code family by marketplace id, JetBrains plugins by plugin id, Vim plugins
 * by repository, Zed extensions by id.
 */
export const editorExtensions: readonly EditorExtension[] = [
  ...ofVendors,
  ...agents,
  ...completionAndChat,
  ...reviewAndTests,
  ...ofVim,
  ...ofZed,
  ...moreEditorExtensions,
];
