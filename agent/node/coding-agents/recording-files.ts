import { claudeCodeFiles } from '#agent/node/coding-agents/claude-code.ts';
import { codexFile } from './codex.ts';
import { copilotFile } from './copilot.ts';
import { cursorRecordingFile } from './cursor/cursor-hook-file.ts';
import { geminiFile } from './gemini.ts';
import { gooseFile } from './goose.ts';
import { opencodeRecordingFiles } from './opencode.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';

/** Returns the files with the recording settings of all tools on this system. */
export function recordingFiles(os: 'macos' | 'linux'): ManagedFile<Recording>[] {
  const library = '/Library/Application Support';
  return os === 'macos'
    ? [
        ...claudeCodeFiles(`${library}/ClaudeCode`),
        codexFile('/etc/codex/managed_config.toml'),
        copilotFile(`${library}/GitHubCopilot/managed-settings.json`),
        geminiFile('Gemini CLI', `${library}/GeminiCli/settings.json`),
        geminiFile('Qwen Code', `${library}/QwenCode/settings.json`),
        ...opencodeRecordingFiles(`${library}/opencode`),
        gooseFile('/etc/goose/config.yaml'),
        cursorRecordingFile(`${library}/Cursor/hooks.json`),
      ]
    : [
        ...claudeCodeFiles('/etc/claude-code'),
        codexFile('/etc/codex/managed_config.toml'),
        copilotFile('/etc/github-copilot/managed-settings.json'),
        geminiFile('Gemini CLI', '/etc/gemini-cli/settings.json'),
        geminiFile('Qwen Code', '/etc/qwen-code/settings.json'),
        ...opencodeRecordingFiles('/etc/opencode'),
        gooseFile('/etc/goose/config.yaml'),
        cursorRecordingFile('/etc/cursor/hooks.json'),
      ];
}
