import type { DesktopApp } from './entry.ts';

type Signals = Pick<DesktopApp, 'darwin' | 'linux'>;

const app = (id: string, name: string, vendor: string, signals: Signals): DesktopApp => ({
  id,
  name,
  vendor,
  kind: 'desktop_app',
  ...signals,
});

const mac = (appName: string, ...bundleIds: string[]): Signals => ({
  darwin: { bundleIds, appNames: [appName] },
});

/** What a fork of VS Code leaves on Linux when its package is called `word`. */
const fork = (word: string, title: string): Signals => ({
  linux: {
    desktopIds: [word],
    installDirs: [`/usr/share/${word}/`, `/opt/${title}/`],
    debs: [word],
    appImages: [title],
    settings: [`.config/${title}`],
  },
});

const assistants: DesktopApp[] = [
  app('chatgpt', 'ChatGPT', 'OpenAI', mac('ChatGPT', 'com.openai.chat')),
  app('chatgpt-atlas', 'ChatGPT Atlas', 'OpenAI', mac('ChatGPT Atlas', 'com.openai.atlas')),
  // Since 2026 the Codex app is also shipped as "ChatGPT.app", under its old bundle id.
  app('codex-app', 'Codex', 'OpenAI', {
    darwin: { bundleIds: ['com.openai.codex'], appNames: ['Codex', 'ChatGPT'] },
  }),
  app('claude-desktop', 'Claude', 'Anthropic', {
    ...mac('Claude', 'com.anthropic.claudefordesktop'),
    linux: {
      desktopIds: ['claude-desktop'],
      installDirs: ['/usr/lib/claude-desktop/', '/opt/Claude/'],
      debs: ['claude-desktop'],
      appImages: ['claude-desktop'],
      settings: ['.config/Claude'],
    },
  }),
  app(
    'perplexity',
    'Perplexity',
    'Perplexity',
    mac('Perplexity', 'ai.perplexity.mac', 'ai.perplexity.macv3'),
  ),
  app('comet', 'Comet', 'Perplexity', mac('Comet', 'ai.perplexity.comet')),
  app('poe', 'Poe', 'Quora', mac('Poe', 'com.quora.poe.electron')),
  app('microsoft-copilot', 'Copilot', 'Microsoft', mac('Copilot', 'com.microsoft.copilot-mac')),
  app('grok', 'Grok', 'xAI', mac('Grok', 'ai.x.GrokApp')),
  app('gemini-app', 'Gemini', 'Google', mac('Gemini', 'com.google.GeminiMacOS')),
  app('deepseek', 'DeepSeek', 'DeepSeek', mac('DeepSeek', 'com.deepseek.chat')),
  app('le-chat', 'Le Chat', 'Mistral AI', mac('Le Chat', 'ai.mistral.chat')),
  app('dia', 'Dia', 'The Browser Company', mac('Dia', 'company.thebrowser.dia')),
];

const clients: DesktopApp[] = [
  app('goose-desktop', 'Goose', 'Block', {
    ...mac('Goose', 'com.block.goose', 'com.electron.goose'),
    linux: { desktopIds: ['goose'], installDirs: ['/usr/lib/goose/'], debs: ['goose'] },
  }),
  app('opencode-desktop', 'OpenCode', 'Anomaly', {
    ...mac('OpenCode', 'ai.opencode.desktop'),
    linux: { desktopIds: ['OpenCode', 'ai.opencode.desktop'], debs: ['opencode-desktop'] },
  }),
  app('conductor', 'Conductor', 'Melty Labs', mac('Conductor', 'com.conductor.app')),
  app('anythingllm', 'AnythingLLM', 'Mintplex Labs', {
    ...mac('AnythingLLM', 'com.anythingllm', 'com.mintplexlabs.anythingllm'),
    linux: {
      desktopIds: ['anythingllmdesktop', 'anythingllm-desktop'],
      appImages: ['AnythingLLMDesktop'],
      settings: ['.config/anythingllm-desktop'],
    },
  }),
  app('msty', 'Msty', 'CloudStack', {
    ...mac('Msty', 'app.msty.app'),
    linux: { desktopIds: ['msty'], installDirs: ['/opt/Msty/'], debs: ['msty'] },
  }),
  app('msty-studio', 'Msty Studio', 'CloudStack', mac('MstyStudio', 'com.MstyStudio.app')),
  app('boltai', 'BoltAI', 'Podzim', mac('BoltAI', 'co.podzim.BoltGPT')),
  app('chatwise', 'ChatWise', 'ChatWise', mac('ChatWise', 'app.chatwise')),
  app('chatbox', 'Chatbox', 'Benn Huang', {
    darwin: { bundleIds: ['xyz.chatboxapp.app'], appNames: ['chatbox', 'Chatbox'] },
    linux: {
      desktopIds: ['xyz.chatboxapp.app'],
      installDirs: ['/opt/Chatbox/'],
      debs: ['xyz.chatboxapp.app'],
      appImages: ['Chatbox'],
      settings: ['.config/xyz.chatboxapp.app'],
    },
  }),
  app('cherry-studio', 'Cherry Studio', 'CherryHQ', {
    ...mac('Cherry Studio', 'com.kangfenmao.CherryStudio'),
    linux: {
      desktopIds: ['CherryStudio', 'com.cherry_ai.CherryStudio'],
      installDirs: ['/opt/Cherry Studio/'],
      debs: ['cherrystudio'],
      appImages: ['Cherry-Studio'],
      settings: ['.config/CherryStudio'],
    },
  }),
  app('witsy', 'Witsy', 'Nabocorp', mac('Witsy', 'com.nabocorp.witsy')),
];

const localModels: DesktopApp[] = [
  app('ollama-app', 'Ollama', 'Ollama', mac('Ollama', 'com.electron.ollama')),
  app('lm-studio-app', 'LM Studio', 'Element Labs', {
    ...mac('LM Studio', 'ai.elementlabs.lmstudio'),
    linux: {
      desktopIds: ['lm-studio'],
      installDirs: ['/opt/LM Studio/', '/opt/LM-Studio/'],
      debs: ['lm-studio'],
      appImages: ['LM-Studio', 'LM_Studio'],
      settings: ['.lmstudio', '.config/LM Studio'],
    },
  }),
  app('jan-app', 'Jan', 'Menlo Research', {
    ...mac('Jan', 'jan.ai.app'),
    linux: {
      desktopIds: ['Jan', 'jan', 'ai.jan.Jan'],
      installDirs: ['/opt/Jan/', '/usr/lib/Jan/'],
      debs: ['jan'],
      appImages: ['Jan_', 'jan-linux'],
      settings: ['.local/share/Jan', '.config/Jan'],
    },
  }),
  app('gpt4all-app', 'GPT4All', 'Nomic', {
    ...mac('gpt4all', 'gpt4all', 'com.nomic-ai.gpt4all'),
    linux: {
      desktopIds: ['io.gpt4all.gpt4all', 'GPT4All'],
      installDirs: ['/opt/gpt4all/', '~/gpt4all/'],
    },
  }),
  app('alpaca', 'Alpaca', 'Jeffry Samuel', {
    linux: {
      desktopIds: ['com.jeffser.Alpaca'],
      installDirs: ['/var/lib/flatpak/app/com.jeffser.Alpaca/'],
    },
  }),
  app('pinokio', 'Pinokio', 'Pinokio', mac('Pinokio', 'computer.pinokio')),
  app('draw-things', 'Draw Things', 'Draw Things', mac('Draw Things', 'com.liuliu.draw-things')),
];

const withAssistant: DesktopApp[] = [
  app('raycast', 'Raycast', 'Raycast', mac('Raycast', 'com.raycast.macos')),
  app('granola', 'Granola', 'Granola', mac('Granola', 'com.granola.app', 'com.getgranola.app')),
  app('wispr-flow', 'Wispr Flow', 'Wispr', mac('Wispr Flow', 'com.electron.wispr-flow')),
  app(
    'superwhisper',
    'Superwhisper',
    'SuperUltra',
    mac('superwhisper', 'com.superduper.superwhisper'),
  ),
  app('macwhisper', 'MacWhisper', 'Good Snooze', mac('MacWhisper', 'com.goodsnooze.MacWhisper')),
  app('notion', 'Notion', 'Notion Labs', mac('Notion', 'notion.id')),
  app('warp', 'Warp', 'Warp', {
    ...mac('Warp', 'dev.warp.Warp-Stable'),
    linux: {
      desktopIds: ['dev.warp.Warp'],
      installDirs: ['/opt/warpdotdev/'],
      debs: ['warp-terminal'],
      appImages: ['Warp-'],
      settings: ['.config/warp-terminal'],
    },
  }),
];

const editors: DesktopApp[] = [
  app('cursor', 'Cursor', 'Anysphere', {
    ...mac('Cursor', 'com.todesktop.230313mzl4w4u92'),
    ...fork('cursor', 'Cursor'),
  }),
  app('windsurf', 'Windsurf', 'Cognition', {
    // Renamed Devin in 2026; the bundle id stayed.
    darwin: { bundleIds: ['com.exafunction.windsurf'], appNames: ['Windsurf', 'Devin'] },
    ...fork('windsurf', 'Windsurf'),
  }),
  app('kiro', 'Kiro', 'Amazon', { ...mac('Kiro', 'dev.kiro.desktop'), ...fork('kiro', 'Kiro') }),
  app('antigravity', 'Antigravity', 'Google', {
    ...mac('Antigravity', 'com.google.antigravity'),
    ...fork('antigravity', 'Antigravity'),
  }),
  app('trae', 'Trae', 'ByteDance', { ...mac('Trae', 'com.trae.app'), ...fork('trae', 'Trae') }),
  app('void-editor', 'Void', 'Glass Devtools', {
    ...mac('Void', 'com.voideditor.Void', 'com.voideditor.code'),
    ...fork('void', 'Void'),
  }),
  app('devin', 'Devin', 'Cognition', fork('devin-desktop', 'Devin')),
  app('zed', 'Zed', 'Zed Industries', {
    ...mac('Zed', 'dev.zed.Zed'),
    linux: {
      desktopIds: ['dev.zed.Zed'],
      installDirs: ['~/.local/zed.app/', '/usr/lib/zed/'],
    },
  }),
];

/** Apps with a window: assistants, model runners, editors built around an agent. */
export const desktopApps: readonly DesktopApp[] = [
  ...assistants,
  ...clients,
  ...localModels,
  ...withAssistant,
  ...editors,
];
