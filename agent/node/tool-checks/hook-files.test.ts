import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { hookFiles } from './hook-files.ts';

const hooks = { socket: '/run/agent/tools.sock', failMode: 'closed' } as const;
const files = hookFiles('linux');
const fileOf = (tool: string) => {
  const file = files.find((one) => one.tool === tool);
  if (!file) throw new Error(tool);
  return file;
};
const written = (tool: string, present: string | null): string => {
  const wanted = fileOf(tool).withSettings(present, hooks);
  if ('error' in wanted) throw new Error(wanted.error);
  return wanted.text;
};
const asks = (client: string) => expect.stringContaining(`/hook/${client} `) as string;

test.each(files)(
  '$tool: $path is removed completely, and writing it again changes nothing',
  (file) => {
    const first = file.withSettings(null, hooks);
    const text = 'text' in first ? first.text : '';
    expect(file.withSettings(text, hooks)).toEqual({ text });
    expect(file.withoutSettings(text)).toBeNull();
    expect(text).toContain(file.path.endsWith('/opencode.json') ? 'file:///etc' : hooks.socket);
  },
);

test('each tool calls its hook before every tool call', () => {
  expect(JSON.parse(written('Claude Code', null))).toMatchObject({
    hooks: { PreToolUse: [{ matcher: '*', hooks: [{ command: asks('claude-code') }] }] },
  });
  expect(parse(written('Codex', null))).toMatchObject({
    features: { hooks: true },
    hooks: {
      managed_dir: '/etc/codex',
      PreToolUse: [{ matcher: '.*', hooks: [{ command: asks('codex') }] }],
    },
  });
  expect(JSON.parse(written('GitHub Copilot', null))).toMatchObject({
    version: 1,
    hooks: { preToolUse: [{ bash: asks('copilot') }] },
  });
  const entry = [{ command: asks('cursor'), failClosed: true }];
  expect(JSON.parse(written('Cursor', null))).toMatchObject({
    version: 1,
    hooks: { beforeShellExecution: entry, beforeMCPExecution: entry, preToolUse: entry },
  });
  expect(JSON.parse(written('Gemini CLI', null))).toMatchObject({
    hooksConfig: { enabled: true },
    hooks: { BeforeTool: [{ matcher: '.*', hooks: [{ command: asks('gemini-cli') }] }] },
  });
  expect(JSON.parse(written('Qwen Code', null))).toMatchObject({
    disableAllHooks: false,
    hooks: { PreToolUse: [{ matcher: '*', hooks: [{ command: asks('qwen-code') }] }] },
  });
});

const COMPANY = `{
  // Ours.
  "hooks": {
    "BeforeTool": [{ "matcher": "write_file", "hooks": [{ "command": "/opt/check" }] }]
  },
  "telemetry": { "enabled": false }
}
`;

test('hooks and settings of an administrator are kept', () => {
  const text = written('Gemini CLI', COMPANY);
  expect(text).toContain('// Ours.');
  expect(text).toContain('/opt/check');
  expect(text).toContain('/hook/gemini-cli');
  const rest = fileOf('Gemini CLI').withoutSettings(text) ?? '';
  expect(rest).toContain('/opt/check');
  expect(rest).toContain('"telemetry"');
  expect(rest).not.toContain('gatehouse');
  const codex = 'approval_policy = "never"\n\n[features]\nweb_search = false\n';
  expect(parse(written('Codex', codex))).toMatchObject({ features: { web_search: false } });
  expect(fileOf('Codex').withoutSettings(written('Codex', codex))).toBe(codex);
});

test.each([
  ['Gemini CLI', '{"hooksConfig":{"notifications":false}}', '{"hooksConfig":{"enabled":true}}'],
  ['Qwen Code', '{"a":1}', '{"disableAllHooks":false}'],
])('%s: the switch of hooks is removed, but not that of an administrator', (tool, none, own) => {
  const file = fileOf(tool);
  const parsed = (text: string | null) => JSON.parse(text ?? 'null') as unknown;
  for (const original of [null, '{}'])
    expect(file.withoutSettings(written(tool, original), original)).toBeNull();
  expect(parsed(file.withoutSettings(written(tool, none), none))).toEqual(JSON.parse(none));
  expect(parsed(file.withoutSettings(written(tool, own), own))).toEqual(JSON.parse(own));
});

test('a changed entry is replaced, not duplicated', () => {
  const open = fileOf('Cursor').withSettings(null, { ...hooks, failMode: 'open' });
  const text = 'text' in open ? open.text : '';
  const { hooks: of } = JSON.parse(written('Cursor', text)) as { hooks: Record<string, unknown[]> };
  expect(of.preToolUse).toEqual([expect.objectContaining({ failClosed: true })]);
});

const OFF = 'switches hooks off ([features] hooks = false)';

test.each([
  ['Codex', '[hooks]\nmanaged_dir = "/opt"\n', 'already has a table [hooks]'],
  ['Codex', 'a = ', 'is not valid TOML'],
  ['Codex', '[features]\nhooks = false\n', OFF],
  ['Codex', '[features]\ncodex_hooks = false\n', OFF],
  ['Codex', '[features]\ncodex_hooks = true\nhooks = false\n', OFF],
  ['Codex', '[feature_requirements]\nhooks = false\n', OFF],
  ['Cursor', '[]', 'is not a JSON object'],
  ['Cursor', '{"hooks": []}', 'has "hooks" that are not a JSON object'],
  [
    'Gemini CLI',
    '{"hooksConfig": {"enabled": false}}',
    'switches hooks off ("hooksConfig.enabled" is not true)',
  ],
  ['Gemini CLI', '{"hooksConfig": true}', 'switches hooks off ("hooksConfig.enabled" is not true)'],
  ['Qwen Code', '{"disableAllHooks": true}', 'switches hooks off ("disableAllHooks" is not false)'],
  ['Gemini CLI', '{"hooks": {"BeforeTool": {}}}', 'has hooks of BeforeTool that are not a list'],
])('%s with %j is left unchanged', (tool, present, error) => {
  expect(fileOf(tool).withSettings(present, hooks)).toEqual({ error });
});

test.each([
  '[features]\nhooks = true\n',
  '[features]\ncodex_hooks = false\nhooks = true\n',
  '[features]\nhooks = "false"\n',
  '[feature_requirements]\nweb_search = false\n',
])('Codex allows one table of features: %j gets the hooks only', (present) => {
  const { features, hooks: table, ...others } = parse(written('Codex', present));
  expect(table).toBeDefined();
  expect({ ...(features !== undefined && { features }), ...others }).toEqual(parse(present));
});
