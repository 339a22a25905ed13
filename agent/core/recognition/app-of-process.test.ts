import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { appOfProcess } from './app-of-process.ts';

test.each([
  ['Claude', '/Applications/Claude.app/Contents/MacOS/Claude', 'claude-desktop'],
  [
    'Claude Helper',
    '/Applications/Claude.app/Contents/Frameworks/Claude Helper.app/Contents/MacOS/Claude Helper',
    'claude-desktop',
  ],
  ['Cursor', '/Users/ada/Applications/Cursor.app/Contents/MacOS/Cursor', 'cursor'],
  ['cursor', '/usr/share/cursor/cursor', 'cursor'],
  ['cursor', '/tmp/.mount_CursorKx81/usr/share/cursor/cursor', 'cursor'],
  ['zed-editor', '/home/ada/.local/zed.app/libexec/zed-editor', 'zed'],
  ['2.1.39', '/home/ada/.local/share/claude/versions/2.1.39', 'claude-code'],
  [
    'codex',
    '/usr/lib/node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex',
    'codex-cli',
  ],
  [
    'codex',
    '/usr/lib/node_modules/@openai/codex/node_modules/@openai/codex-linux-x64/vendor/codex/codex',
    'codex-cli',
  ],
  ['codex', '/home/ada/x/node_modules/@openai/codex-darwin-arm64/vendor/codex/codex', 'codex-cli'],
  ['copilot', '/usr/lib/node_modules/@github/copilot-linuxmusl-x64/copilot', 'copilot-cli'],
  ['opencode', '/usr/lib/node_modules/opencode-linux-x64/bin/opencode', 'opencode'],
  ['droid', '/usr/lib/node_modules/@factory/cli-linux-arm64/bin/droid', 'droid'],
  ['opencode', '/home/ada/.opencode/bin/opencode', 'opencode'],
  ['goose', '/opt/homebrew/Cellar/block-goose-cli/1.9.0/bin/goose', 'goose'],
  [
    'claude',
    '/home/ada/.vscode/extensions/anthropic.claude-code-2.1.0-linux-x64/resources/native-binary/claude',
    'claude-code-extension',
  ],
  ['ollama', '/usr/local/bin/ollama', 'ollama'],
  ['ollama', '/Applications/Ollama.app/Contents/Resources/ollama', 'ollama'],
  ['Ollama', '/Applications/Ollama.app/Contents/MacOS/Ollama', 'ollama-app'],
  ['llama-server', '/home/ada/src/llama.cpp/build/bin/llama-server', 'llama-cpp'],
  ['MainThread', '/opt/ollama/bin/ollama', 'ollama'],
  [null, '/usr/local/bin/ollama', 'ollama'],
])('the process %s at %s belongs to %s', (name, path, id) => {
  expect(appOfProcess({ name, path })).toBe(id);
});

test.each([
  ['/usr/lib/node_modules/@google/gemini-cli/dist/index.js', 'gemini-cli'],
  ['/srv/x/node_modules/@modelcontextprotocol/server-memory/dist/index.js', 'mcp-memory'],
  ['npm:@qwen-code/qwen-code', 'qwen-code'],
  ['/home/ada/.venv/lib/python3.12/site-packages/aider_chat-0.86.1.dist-info', 'aider'],
  ['/home/ada/.local/share/uv/tools/Aider.Chat/bin/aider', 'aider'],
  ['/home/ada/.vscode/extensions/anthropic.claude-code-2.1.0/cli.js', 'claude-code-extension'],
  ['/opt/homebrew/Cellar/aider/0.86.1/libexec/bin/aider', 'aider'],
  ['/home/ada/work/server.js', 'cursor'],
  ['/usr/lib/node_modules/other/index.js', 'cursor'],
  [null, 'cursor'],
])('an interpreter of an app that runs %s belongs to %s', (script, id) => {
  expect(appOfProcess({ name: 'node', path: '/usr/share/cursor/node', script })).toBe(id);
});

test.each([
  ['a name alone', 'claude', null],
  ['a name at a path that confirms nothing', 'claude', '/usr/local/bin/claude'],
  ['the same name as a server', 'ollama', '/home/ada/bin/ollama'],
  ['a program beside a server', 'git', '/home/ada/src/ollama/tools/git'],
  ['an interpreter', 'node', '/usr/bin/node'],
  ['a bundle outside of Applications', 'Claude', '/tmp/Claude.app/Contents/MacOS/Claude'],
  ['a path that only ends alike', 'ollama', '/tmp/usr/local/bin/ollama'],
  ['nothing', null, null],
])('%s is not an app', (_, name, path) => {
  expect(appOfProcess({ name, path })).toBeUndefined();
});

test('no process name makes an app of a path outside the catalog', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(appOfProcess({ name, path: '/usr/bin/vim' })).toBeUndefined();
    }),
  );
});
