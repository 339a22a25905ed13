import { app, electron, mac } from './desktop-app.ts';
import { type DesktopApp, github } from './entry.ts';

const ofVendors: DesktopApp[] = [
  app('chatgpt', 'ChatGPT', 'OpenAI', mac('ChatGPT', 'com.openai.chat')),
  app('chatgpt-atlas', 'ChatGPT Atlas', 'OpenAI', mac('ChatGPT Atlas', 'com.openai.atlas')),
  // Since 2026 the Codex app is also shipped as "ChatGPT.app", under its old bundle id.
  app('codex-app', 'Codex', 'OpenAI', {
    darwin: { bundleIds: ['com.openai.codex'], appNames: ['Codex', 'ChatGPT'] },
  }),
  app('claude-desktop', 'Claude', 'Anthropic', {
    cask: 'claude',
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
  app('microsoft-copilot', 'Copilot', 'Microsoft', {
    source: 'https://apps.apple.com/us/app/microsoft-copilot/id6738511300',
    ...mac('Copilot', 'com.microsoft.copilot-mac'),
  }),
  app('grok', 'Grok', 'xAI', {
    source: 'https://apps.apple.com/us/app/grok-ai-chat-video/id6670324846',
    ...mac('Grok', 'ai.x.GrokApp'),
  }),
  app('gemini-app', 'Gemini', 'Google', {
    source: 'https://gemini.google/mac/',
    ...mac('Gemini', 'com.google.GeminiMacOS'),
  }),
  app('deepseek', 'DeepSeek', 'DeepSeek', {
    source: 'https://apps.apple.com/us/app/deepseek-ai-assistant/id6737597349',
    ...mac('DeepSeek', 'com.deepseek.chat'),
  }),
  app('le-chat', 'Le Chat', 'Mistral AI', {
    source: 'https://apps.apple.com/us/app/le-chat-by-mistral-ai/id6740410176',
    ...mac('Le Chat', 'ai.mistral.chat'),
  }),
  app('doubao', 'Doubao', 'ByteDance', mac('doubao', 'com.bot.pc.doubao')),
  app('kimi', 'Kimi', 'Moonshot AI', mac('Kimi', 'com.moonshot.kimichat')),
  app('dia', 'Dia', 'The Browser Company', {
    cask: 'thebrowsercompany-dia',
    ...mac('Dia', 'company.thebrowser.dia'),
  }),
];

const clients: DesktopApp[] = [
  app('goose-desktop', 'Goose', 'Agentic AI Foundation', {
    cask: 'block-goose',
    ...mac('Goose', 'com.block.goose', 'com.electron.goose'),
    linux: { desktopIds: ['goose'], installDirs: ['/usr/lib/goose/'], debs: ['goose'] },
  }),
  app('opencode-desktop', 'OpenCode', 'Anomaly', {
    ...mac('OpenCode', 'ai.opencode.desktop'),
    linux: { desktopIds: ['OpenCode', 'ai.opencode.desktop'], debs: ['opencode-desktop'] },
  }),
  app('boltai', 'BoltAI', 'Podzim', mac('BoltAI', 'co.podzim.BoltGPT', 'co.podzim.boltai-mobile')),
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
  app('witsy', 'Witsy', 'Nabocorp', {
    source: github('nbonamy/witsy'),
    ...mac('Witsy', 'com.nabocorp.witsy'),
    ...electron('witsy', 'Witsy'),
  }),
  app('5ire', '5ire', 'Nanbingxyz', {
    ...mac('5ire', 'com.5ire.5ire'),
    linux: { desktopIds: ['5ire'], appImages: ['5ire-'], settings: ['.config/5ire'] },
  }),
  app('deepchat', 'DeepChat', 'ThinkInAI', {
    ...mac('DeepChat', 'com.wefonk.deepchat'),
    ...electron('deepchat', 'DeepChat'),
  }),
  app('chatall', 'ChatALL', 'sunner', {
    ...mac('ChatALL', 'ai.chatall'),
    ...electron('chatall', 'ChatALL'),
  }),
  app('lobehub', 'LobeHub', 'LobeHub', {
    ...mac('LobeHub', 'com.lobehub.lobehub-desktop-beta', 'com.lobehub.lobehub-desktop'),
    ...electron('lobehub', 'LobeHub', ['lobehub-desktop', 'lobehub']),
  }),
  app('alma', 'Alma', 'yetone', mac('Alma', 'com.yetone.alma')),
  app('macai', 'macai', 'Renset', mac('macai', 'notfullin.com.macai')),
  app('macgpt', 'MacGPT', 'Good Snooze', mac('MacGPT', 'com.goodsnooze.MenuGPT')),
  app('mindmac', 'MindMac', 'MindMac', mac('MindMac', 'app.mindmac.macos')),
  app('opencat', 'OpenCat', 'Baye', mac('OpenCat', 'tech.baye.OpenCat')),
  app('elephas', 'Elephas', 'Kamban', mac('Elephas', 'com.kamban.elephas')),
  app('pieces', 'Pieces', 'Mesh Intelligent Technologies', {
    ...mac('Pieces', 'com.pieces.x'),
    linux: { snaps: ['pieces-for-developers'] },
  }),
];

/** Apps for chatting with a model. */
export const assistantApps: readonly DesktopApp[] = [...ofVendors, ...clients];
