import { describe, expect, test } from 'vitest';
import { type ClientProcess, isNamed } from './process-names.ts';

const interpreter = (process: string, script: string | null): ClientProcess => ({
  process,
  path: `/usr/bin/${process}`,
  script,
});
const claudeCode = interpreter('node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js');
const aider = interpreter(
  'python3.12',
  '/home/ada/.venv/lib/python3.12/site-packages/aider_chat-0.86.1.dist-info',
);
const native: ClientProcess = {
  process: '2.1.39',
  path: '/home/ada/.local/share/claude/versions/2.1.39',
};
const desktop: ClientProcess = {
  process: 'Claude Helper',
  path: '/Applications/Claude.app/Contents/Frameworks/Claude Helper.app/Contents/MacOS/Claude Helper',
};

describe('a process matches', () => {
  test.each<[string, string, ClientProcess]>([
    ['by a program of its app', 'claude', claudeCode],
    ['by its app', 'claude-code', claudeCode],
    ['by the package of its script', '@anthropic-ai/claude-code', claudeCode],
    ['by the file of its script', 'cli.js', claudeCode],
    ['by that file without its extension', 'cli', claudeCode],
    ['by its script', claudeCode.script!, claudeCode],
    ['by its interpreter', 'node', claudeCode],
    ['by the program of a Python distribution', 'aider', aider],
    ['by the distribution', 'aider-chat', aider],
    ['by a program that an executable is a version of', 'claude', native],
    ['by the name of the app that it helps', 'Claude', desktop],
    [
      'by an app that is a package to be fetched',
      'qwen',
      interpreter('node', 'npm:@qwen-code/qwen-code'),
    ],
    ['by a script that no catalog knows', 'report', interpreter('python3', '/srv/report.py')],
    ['by a script without extension', 'report', interpreter('python3', '/srv/bin/report')],
  ])('%s: %s', (_, name, client) => {
    expect(isNamed(['something', name], client)).toBe(true);
  });
});

describe('a process does not match', () => {
  test.each<[string, string, ClientProcess]>([
    ['by another app', 'codex', claudeCode],
    ['by what a folder of its script is called', 'bin', interpreter('node', '/srv/bin/x.js')],
    [
      'by a package that its script’s package is within',
      'a',
      interpreter('node', '/x/node_modules/a/node_modules/b/c.js'),
    ],
    ['by a version', 'aider_chat-0.86.1', aider],
    [
      'by a tool whose name it only bears',
      'claude-code',
      { process: 'claude', path: '/tmp/claude' },
    ],
    ['by nothing', '', { process: null, path: null, script: null }],
  ])('%s: %s', (_, name, client) => {
    expect(isNamed([name], client)).toBe(false);
  });
});
