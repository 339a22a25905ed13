import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import type { Hooks } from '#domain/coding-agents/hook-command.ts';
import { claudeHookFile, copilotHookFile } from '#agent/core/tool-checks/own-hook-files.ts';
import { opencodeHookFiles } from '../coding-agents/opencode.ts';
import { codexHookFile } from './codex-hook-file.ts';
import { cursorHookFile, geminiHookFile, qwenHookFile } from './json-hook-file.ts';

/** Returns the files through which an administrator sets hooks of all tools, on this system. */
export function hookFiles(os: 'macos' | 'linux'): ManagedFile<Hooks>[] {
  const library = '/Library/Application Support';
  const isMac = os === 'macos';
  return [
    claudeHookFile(isMac ? `${library}/ClaudeCode` : '/etc/claude-code'),
    codexHookFile('/etc/codex'),
    copilotHookFile('/etc/github-copilot'),
    cursorHookFile(isMac ? `${library}/Cursor/hooks.json` : '/etc/cursor/hooks.json'),
    geminiHookFile(isMac ? `${library}/GeminiCli/settings.json` : '/etc/gemini-cli/settings.json'),
    qwenHookFile(isMac ? `${library}/QwenCode/settings.json` : '/etc/qwen-code/settings.json'),
    ...opencodeHookFiles(isMac ? `${library}/opencode` : '/etc/opencode'),
  ];
}
