import { expect, test } from 'vitest';
import { suggestedApps } from './suggested-apps.ts';

test('apps are suggested before their first capture, with the names that users know', () => {
  const captures = [
    { app_id: 'codex-cli', process: 'node' },
    { app_id: 'codex-cli', process: 'node' },
    { app_id: null, process: 'curl' },
    { app_id: null, process: null },
  ];
  const groups = [
    { name: 'Gemini CLI', catalog_id: 'gemini-cli' },
    { name: 'Codex CLI', catalog_id: 'codex-cli' },
    { name: 'tickets', catalog_id: null },
  ];
  expect(suggestedApps(captures, groups)).toEqual([
    { id: 'codex-cli', name: 'Codex CLI (codex-cli)' },
    { id: 'curl', name: 'curl' },
    { id: 'gemini-cli', name: 'Gemini CLI (gemini-cli)' },
  ]);
});
