/**
 * Groups of related hosts: names of one service that redirect to each other, and hosts that one app
 * uses together. Capturing only one host of a group shows only part of what the app does.
 *
 * A host may be in several groups. A provider's plain API host is in an app's group only if the app
 * itself calls it.
 */
export const siblingHosts: readonly (readonly string[])[] = [
  // Claude on the desktop and the web. Claude Code signs in at the first host and works with the
  // second.
  ['claude.ai', 'api.anthropic.com'],
  ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com'],
  ['chatgpt.com', 'chat.openai.com'],
  // Codex uses one of these, depending on whether it has a subscription or an API key.
  ['chatgpt.com', 'api.openai.com'],
  ['sora.com', 'sora.chatgpt.com'],
  // Gemini CLI uses one of these, depending on whether it has an account or an API key.
  ['cloudcode-pa.googleapis.com', 'generativelanguage.googleapis.com'],
  ['aistudio.google.com', 'generativelanguage.googleapis.com'],
  // Each Copilot plan has its own hosts.
  [
    'api.githubcopilot.com',
    'api.individual.githubcopilot.com',
    'proxy.individual.githubcopilot.com',
    'copilot-proxy.githubusercontent.com',
  ],
  [
    'api.githubcopilot.com',
    'api.business.githubcopilot.com',
    'proxy.business.githubcopilot.com',
    'copilot-proxy.githubusercontent.com',
  ],
  [
    'api.githubcopilot.com',
    'api.enterprise.githubcopilot.com',
    'proxy.enterprise.githubcopilot.com',
    'copilot-proxy.githubusercontent.com',
  ],
  [
    'api2.cursor.sh',
    'api3.cursor.sh',
    'api4.cursor.sh',
    'api5.cursor.sh',
    'agent.api5.cursor.sh',
    'agentn.global.api5.cursor.sh',
    'repo42.cursor.sh',
    '*.gcpp.cursor.sh',
  ],
  ['server.codeium.com', 'inference.codeium.com', 'server.self-serve.windsurf.com'],
  ['cloud.zed.dev', 'llm.zed.dev'],
  ['app.devin.ai', 'api.devin.ai'],
  ['codewhisperer.us-east-1.amazonaws.com', 'q.us-east-1.amazonaws.com'],
  ['api.cohere.com', 'api.cohere.ai'],
  ['grok.com', 'cli-chat-proxy.grok.com'],
  ['perplexity.ai', 'www.perplexity.ai'],
  ['api.together.ai', 'api.together.xyz'],
  ['router.huggingface.co', 'api-inference.huggingface.co'],
  ['character.ai', 'neo.character.ai', 'plus.character.ai'],
  ['poe.com', 'www.poe.com'],
  ['meta.ai', 'www.meta.ai'],
  ['v0.app', 'api.v0.dev'],
];
