import type { BuiltInFeature } from './loaded-entry.ts';

const feature = <const Id extends string>(
  id: Id,
  name: string,
  vendor: string,
  source: string,
): BuiltInFeature & { id: Id } => ({ id, name, vendor, kind: 'built_in_feature', source });

/**
 * AI features built into programs, where files on disk reveal them. Notion, Slack and Microsoft
 * Office leave no such trace: theirs are enabled per account, on the vendor's servers.
 */
export const builtInFeatures = {
  vscodeCopilot: feature(
    'vscode-copilot',
    'GitHub Copilot in VS Code',
    'GitHub',
    'https://code.visualstudio.com/docs/copilot/setup',
  ),
  zedAi: feature('zed-ai', 'Zed AI', 'Zed Industries', 'https://zed.dev/docs/ai/configuration'),
  jetbrainsFullLine: feature(
    'jetbrains-full-line',
    'JetBrains full line completion',
    'JetBrains',
    'https://www.jetbrains.com/help/idea/full-line-code-completion.html',
  ),
  geminiNano: feature(
    'chrome-built-in-ai',
    'Chrome built-in AI (Gemini Nano)',
    'Google',
    'https://developer.chrome.com/docs/ai/built-in',
  ),
  geminiInChrome: feature(
    'gemini-in-chrome',
    'Gemini in Chrome',
    'Google',
    'https://support.google.com/chrome/answer/16283624',
  ),
  braveLeo: feature('brave-leo', 'Brave Leo', 'Brave', 'https://brave.com/leo'),
  firefoxChatbot: feature(
    'firefox-ai-chatbot',
    'Firefox AI chatbot',
    'Mozilla',
    'https://support.mozilla.org/kb/ai-chatbot',
  ),
  appleIntelligence: feature(
    'apple-intelligence',
    'Apple Intelligence',
    'Apple',
    'https://support.apple.com/guide/mac-help/intro-to-apple-intelligence-mchl46361784/mac',
  ),
  xcodeCodingAssistant: feature(
    'xcode-coding-assistant',
    'Xcode coding intelligence',
    'Apple',
    'https://developer.apple.com/documentation/xcode/writing-code-with-intelligence-in-xcode',
  ),
} as const;
