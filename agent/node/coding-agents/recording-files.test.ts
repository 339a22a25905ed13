import { parse } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { describe, expect, test } from 'vitest';
import { recordingLevels } from '#contract/guard.ts';
import { claudeCodeFiles } from '#agent/node/coding-agents/claude-code.ts';
import { codexFile } from './codex.ts';
import { copilotFile } from './copilot.ts';
import { cursorHookFile } from '../tool-checks/json-hook-file.ts';
import { cursorRecordingFile } from './cursor/cursor-hook-file.ts';
import { geminiFile } from './gemini.ts';
import { gooseFile } from './goose.ts';
import { opencodeRecordingFiles } from './opencode.ts';
import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import { recordingFiles } from './recording-files.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';

const at = (level: Recording['level'], key = 'svc_sd_1'): Recording => ({
  level,
  endpoint: 'https://gatehouse.example/api/v1/otel',
  key,
  relay: 'http://127.0.0.1:9878/gatehouse-agent',
  socket: '/run/agent/tools.sock',
});

function textOf(
  file: ManagedFile<Recording>,
  present: string | null,
  recording: Recording,
): string {
  const wanted = file.withSettings(present, recording);
  if ('error' in wanted) throw new Error(wanted.error);
  return wanted.text;
}

describe('Claude Code', () => {
  const [headers, settings] = claudeCodeFiles('/etc/claude-code') as [
    ManagedFile<Recording>,
    ManagedFile<Recording>,
  ];
  const envOf = (level: Recording['level']) =>
    (JSON.parse(textOf(settings, null, at(level))) as { env: Record<string, string> }).env;

  test('reads the key from a separate file, which no command inherits', () => {
    expect(JSON.parse(textOf(headers, null, at('tools')))).toEqual({ 'x-svc-key': 'svc_sd_1' });
    const text = textOf(settings, null, at('tools'));
    expect(text).toContain(`cat '${headers.path}'`);
    expect(text).not.toContain('svc_sd_1');
  });

  test.each([
    ['metadata', ['0', '0', '0', 'none']],
    ['prompts', ['1', '0', '0', 'none']],
    ['tools', ['1', '1', '1', 'otlp']],
  ] as const)('has these settings at the level %s', (level, expected) => {
    const env = envOf(level);
    expect([
      env.OTEL_LOG_USER_PROMPTS,
      env.OTEL_LOG_TOOL_DETAILS,
      env.OTEL_LOG_TOOL_CONTENT,
      env.OTEL_TRACES_EXPORTER,
    ]).toEqual(expected);
    expect(env.OTEL_LOG_ASSISTANT_RESPONSES).toBe(env.OTEL_LOG_USER_PROMPTS);
    expect(env.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('https://gatehouse.example/api/v1/otel');
  });

  test("the same variables are set at every level, so that a user's own cannot raise the level", () => {
    const [names] = recordingLevels.map((level) => Object.keys(envOf(level)));
    for (const level of recordingLevels) expect(Object.keys(envOf(level))).toEqual(names);
  });
});

describe('Codex', () => {
  const file = codexFile('/etc/codex/managed_config.toml');
  const others = '# of the company\nmodel = "gpt-5.1-codex"\n\n[history]\npersistence = "none"\n';

  test.each([
    ['metadata', false],
    ['prompts', true],
    ['tools', true],
  ] as const)('has these settings at the level %s', (level, log_user_prompt) => {
    expect(parse(textOf(file, others, at(level)))).toEqual({
      model: 'gpt-5.1-codex',
      history: { persistence: 'none' },
      otel: {
        log_user_prompt,
        exporter: {
          'otlp-http': {
            endpoint: 'https://gatehouse.example/api/v1/otel/v1/logs',
            protocol: 'binary',
            headers: { 'x-svc-key': 'svc_sd_1' },
          },
        },
        trace_exporter: 'none',
        metrics_exporter: 'none',
      },
    });
  });

  test.each([null, '', others, 'model = "a"'])('keeps existing content: %j', (present) => {
    const first = textOf(file, present, at('metadata'));
    const second = textOf(file, first, at('tools', 'svc_sd_2'));
    expect(second).not.toContain('svc_sd_1');
    expect(second.startsWith(present ?? '')).toBe(true);
    expect(textOf(file, second, at('tools', 'svc_sd_2'))).toBe(second);
    const rest = file.withoutSettings(second);
    expect(rest?.trim() ?? '').toBe((present ?? '').trim());
  });

  test.each([
    ['[otel]\nenvironment = "prod"\n', 'already has a table [otel]'],
    ['otel.environment = "prod"', 'already has a table [otel]'],
    ['model = ', 'is not valid TOML'],
  ])('settings of an administrator are kept: %j', (present, error) => {
    expect(file.withSettings(present, at('tools'))).toEqual({ error });
    expect(file.withoutSettings(present)).toBe(present);
  });
});

describe('GitHub Copilot', () => {
  const file = copilotFile('/etc/github-copilot/managed-settings.json');
  const others = '{\n  // of the company\n  "extensions": { "allowed": ["a"] },\n}\n';

  test.each([
    ['metadata', false],
    ['prompts', true],
  ] as const)('has these settings at the level %s', (level, captureContent) => {
    expect(JSON.parse(textOf(file, null, at(level)))).toEqual({
      telemetry: {
        enabled: true,
        endpoint: 'https://gatehouse.example/api/v1/otel',
        protocol: 'otlp-http',
        captureContent,
        lockCaptureContent: true,
        headers: { 'x-svc-key': 'svc_sd_1' },
      },
    });
  });

  test('other keys and comments are kept when the key is written, changed and removed', () => {
    const first = textOf(file, others, at('metadata'));
    const second = textOf(file, first, at('tools', 'svc_sd_2'));
    for (const text of [first, second]) expect(text).toContain('// of the company');
    expect(second).not.toContain('svc_sd_1');
    expect(textOf(file, second, at('tools', 'svc_sd_2'))).toBe(second);
    const rest = file.withoutSettings(second) ?? '';
    expect(rest).toContain('// of the company');
    expect(rest).not.toContain('telemetry');
    expect(file.withoutSettings(textOf(file, null, at('tools')))).toBeNull();
  });

  test.each([
    ['{"telemetry": {"enabled": false}}', 'already has a key "telemetry"'],
    ['[1]', 'is not a JSON object'],
    ['{', 'is not a JSON object'],
  ])('settings of an administrator are kept: %j', (present, error) => {
    expect(file.withSettings(present, at('tools'))).toEqual({ error });
    expect(file.withoutSettings(present)).toBe(present);
  });
});

describe.each(['Gemini CLI', 'Qwen Code'] as const)('%s', (tool) => {
  const file = geminiFile(tool, '/etc/tool/settings.json');

  test.each([
    ['metadata', false],
    ['prompts', true],
  ] as const)('sends to the agent without a key at the level %s', (level, logPrompts) => {
    const text = textOf(file, '{ "ui": { "theme": "x" } }', at(level));
    expect(JSON.parse(text)).toEqual({
      ui: { theme: 'x' },
      telemetry: {
        enabled: true,
        target: 'local',
        otlpEndpoint: 'http://127.0.0.1:9878/gatehouse-agent',
        otlpProtocol: 'http',
        logPrompts,
      },
    });
    expect(JSON.parse(file.withoutSettings(text) ?? '')).toEqual({ ui: { theme: 'x' } });
  });

  test('is left unchanged without a relay', () => {
    const without = { ...at('tools'), relay: null };
    expect(file.withSettings(null, without)).toEqual({
      error: 'is not written, because the agent cannot listen for telemetry',
    });
  });
});

describe('opencode', () => {
  const [plugin, config] = opencodeRecordingFiles('/etc/opencode') as [
    ManagedFile<Recording>,
    ManagedFile<Recording>,
  ];

  test.each([
    ['metadata', 'PROMPTS = false;', 'TOOLS = false;'],
    ['prompts', 'PROMPTS = true;', 'TOOLS = false;'],
    ['tools', 'PROMPTS = true;', 'TOOLS = true;'],
  ] as const)('has this plugin at the level %s', (level, prompts, tools) => {
    const text = textOf(plugin, null, at(level));
    for (const part of [prompts, tools, '"http://127.0.0.1:9878/gatehouse-agent/v1/traces"'])
      expect(text).toContain(part);
    expect(text).not.toContain('svc_sd_');
  });

  test('plugins of an administrator are kept in its settings', () => {
    const others = '{\n  // of the company\n  "plugin": ["company"]\n}\n';
    const text = textOf(config, others, at('tools'));
    expect(text).toContain('// of the company');
    expect(text).toContain(`"file://${plugin.path}"`);
    expect(config.withoutSettings(text)).toContain('"company"');
    expect(config.withoutSettings(textOf(config, null, at('tools')))).toBeNull();
    const error = 'has a "plugin" that is not a list';
    expect(config.withSettings('{"plugin": {}}', at('tools'))).toEqual({ error });
  });
});

describe('Goose', () => {
  const file = gooseFile('/etc/goose/config.yaml');
  const endpoint = { otel_exporter_otlp_endpoint: 'http://127.0.0.1:9878/gatehouse-agent' };
  const others = '# of the company\nGOOSE_MODE: approve\nextensions:\n  a: {enabled: true}';

  test('sends to the agent without a key, in the same way at every level', () => {
    const text = textOf(file, null, at('metadata'));
    expect(parseYaml(text)).toEqual(endpoint);
    expect(textOf(file, text, at('tools', 'svc_sd_2'))).toBe(text);
    expect(text).not.toContain('svc_sd_');
  });

  test.each([null, '', '# nothing yet\n', others])('keeps existing content: %j', (present) => {
    const text = textOf(file, present, at('tools'));
    expect(text.startsWith(present ?? '')).toBe(true);
    const before = (parseYaml(present ?? '') ?? {}) as object;
    expect(parseYaml(text)).toEqual({ ...before, ...endpoint });
    expect(file.withoutSettings(text)?.trim() ?? '').toBe((present ?? '').trim());
  });

  test.each([
    [
      'otel_exporter_otlp_endpoint: http://collector',
      'already has a key "otel_exporter_otlp_endpoint"',
    ],
    ['- a', 'is not a YAML mapping'],
    ['a: [', 'is not a YAML mapping'],
    ['{a: 1}', 'is not a YAML mapping of lines'],
    ['a: 1\n...\n', 'is not a YAML mapping of lines'],
  ])('settings of an administrator are kept: %j', (present, error) => {
    expect(file.withSettings(present, at('tools'))).toEqual({ error });
    expect(file.withoutSettings(present)).toBe(present);
  });

  test('is left unchanged without a relay', () => {
    expect(file.withSettings(others, { ...at('tools'), relay: null })).toEqual({
      error: 'is not written, because the agent cannot listen for telemetry',
    });
  });
});

test.each(['macos', 'linux'] as const)('paths on %s are absolute and distinct', (os) => {
  const paths = recordingFiles(os).map(({ path }) => path);
  expect(paths.every((path) => path.startsWith('/'))).toBe(true);
  expect(new Set(paths).size).toBe(paths.length);
});

describe('Cursor', () => {
  const recorded = cursorRecordingFile('/etc/cursor/hooks.json');
  const checked = cursorHookFile('/etc/cursor/hooks.json');
  const checks = { socket: '/run/agent/tools.sock', failMode: 'closed' } as const;
  const company = '{ "version": 1, "hooks": { "stop": [{ "command": "./audit.sh" }] } }\n';
  const commandsOf = (text: string): string[] =>
    Object.values((JSON.parse(text) as { hooks: Record<string, { command: string }[]> }).hooks)
      .flat()
      .map(({ command }) => command);
  const withChecks = (present: string): string => {
    const wanted = checked.withSettings(present, checks);
    if ('error' in wanted) throw new Error(wanted.error);
    return wanted.text;
  };

  test('its hooks observe with short limits, never refuse, and are the same at every level', () => {
    const text = textOf(recorded, null, at('metadata'));
    const { hooks } = JSON.parse(text) as { hooks: Record<string, object[]> };
    expect(Object.keys(hooks)).toEqual([
      'beforeSubmitPrompt',
      'afterAgentResponse',
      'postToolUse',
      'postToolUseFailure',
      'afterFileEdit',
      'stop',
    ]);
    for (const entries of Object.values(hooks))
      expect(entries).toEqual([
        expect.objectContaining({
          timeout: 5,
          failClosed: false,
          command: expect.stringMatching(/--max-time 2 .*>\/dev\/null 2>&1; echo '{}'$/) as string,
        }),
      ]);
    expect(textOf(recorded, text, at('tools', 'svc_sd_2'))).toBe(text);
    expect(text).not.toContain('svc_sd_');
    expect(recorded.withoutSettings(text)).toBeNull();
  });

  test('entries of checks and of others stay when those of the recording are removed', () => {
    const both = withChecks(textOf(recorded, company, at('tools')));
    expect(commandsOf(both)).toHaveLength(1 + 6 + 3);
    expect(commandsOf(recorded.withoutSettings(both) ?? '')).toEqual(
      expect.arrayContaining(['./audit.sh', expect.stringContaining('/hook/cursor')]),
    );
    expect(recorded.withoutSettings(both)).not.toContain('/record/cursor');
    const rest = checked.withoutSettings(both) ?? '';
    expect(commandsOf(rest)).toHaveLength(1 + 6);
    expect(commandsOf(recorded.withoutSettings(rest) ?? '')).toEqual(['./audit.sh']);
  });
});
