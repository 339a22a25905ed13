import { parse } from 'smol-toml';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordingLevels } from '#contract/guard.ts';
import { createRoot } from '#pki/authority.ts';
import { buildProfile, type ProfileInput } from '../profile.ts';
import { pythonsUuid, readWithPython } from '../testing/python.ts';

const now = Date.UTC(2026, 10, 21);
const RELAY = 'http://127.0.0.1:9878/gatehouse-agent';

interface Hooks {
  PreToolUse: [{ hooks: [{ command: string }] }];
}

let input: ProfileInput;
beforeAll(async () => {
  const root = await createRoot({ name: 'Example root', now });
  input = {
    now,
    apiUrl: 'https://gatehouse.example',
    apiKey: 'svc_sk_verysecret',
    rootCertificates: [root.certificatePem],
    hosts: [],
    appName: 'Gatehouse',
    bundleId: 'com.gatehouse.agent',
    teamId: 'GATEHOUSE1',
  };
});

const payloadsOf = (changed: Partial<ProfileInput>): Record<string, unknown>[] =>
  readWithPython(buildProfile({ ...input, ...changed }))['PayloadContent'] as Record<
    string,
    unknown
  >[];

const common = (PayloadType: string, name: string, tool: string) => ({
  PayloadType,
  PayloadVersion: 1,
  PayloadIdentifier: `com.gatehouse.agent.profile.${name}`,
  PayloadUUID: pythonsUuid(`https://gatehouse.example com.gatehouse.agent ${name}`),
  PayloadDisplayName: `Gatehouse settings of ${tool}`,
  PayloadDescription: `Lets Gatehouse record and check the use of ${tool}.`,
});

describe('the payloads for coding agents', { tags: ['python3'] }, () => {
  test('follow the others, which stay the same', () => {
    for (const payloads of ['full', undefined] as const) {
      const others = payloadsOf({ payloads });
      const all = payloadsOf({ payloads, codingAgents: 'metadata' });
      expect(all.slice(0, others.length)).toEqual(others);
      expect(all.slice(others.length).map((one) => one['PayloadType'])).toEqual([
        'com.anthropic.claudecode',
        'com.openai.codex',
      ]);
    }
  });

  test.each([
    ['metadata', 'none', '0', '0', false],
    ['prompts', 'none', '1', '0', true],
    ['tools', 'otlp', '1', '1', true],
  ] as const)('make both send this to the agent at the level %s', (level, ...expected) => {
    const [traces, prompts, tools, log_user_prompt] = expected;
    const [claudeCode, codex] = payloadsOf({ codingAgents: level }).slice(-2);
    expect(claudeCode).toEqual({
      ...common('com.anthropic.claudecode', 'claude-code', 'Claude Code'),
      env: {
        CLAUDE_CODE_ENABLE_TELEMETRY: '1',
        OTEL_LOGS_EXPORTER: 'otlp',
        OTEL_METRICS_EXPORTER: 'otlp',
        OTEL_TRACES_EXPORTER: traces,
        CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: tools,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_EXPORTER_OTLP_ENDPOINT: RELAY,
        OTEL_LOG_USER_PROMPTS: prompts,
        OTEL_LOG_ASSISTANT_RESPONSES: prompts,
        OTEL_LOG_TOOL_DETAILS: tools,
        OTEL_LOG_TOOL_CONTENT: tools,
        OTEL_LOG_RAW_API_BODIES: '0',
      },
    });
    const { config_toml_base64, ...keys } = codex as { config_toml_base64: string };
    expect(keys).toEqual(common('com.openai.codex', 'codex', 'Codex'));
    expect(parse(Buffer.from(config_toml_base64, 'base64').toString())).toEqual({
      otel: {
        log_user_prompt,
        exporter: { 'otlp-http': { endpoint: `${RELAY}/v1/logs`, protocol: 'binary' } },
        trace_exporter: 'none',
        metrics_exporter: 'none',
      },
    });
  });

  test.each([
    ['open', "echo '{}'"],
    ['closed', 'exit 2; }'],
  ] as const)('make both ask the agent of the user, and are %s without it', (toolChecks, end) => {
    const [claudeCode, codex] = payloadsOf({ toolChecks }).slice(-2) as {
      hooks: Hooks;
      requirements_toml_base64: string;
    }[];
    const requirements = Buffer.from(codex!.requirements_toml_base64, 'base64').toString();
    const { features, ...others } = parse(requirements);
    const hooks = others['hooks'] as Record<string, unknown> & Hooks;
    expect(features).toEqual({ hooks: true });
    expect(hooks).toMatchObject({ managed_dir: '/usr/bin' });
    for (const { PreToolUse } of [claudeCode!.hooks, hooks]) {
      const [{ command }] = PreToolUse[0].hooks;
      // Device management replaces names after a dollar sign.
      expect(command).not.toContain('$');
      expect(command).toContain(
        "--unix-socket ~/'Library/Application Support/com.gatehouse.agent/tools.sock'",
      );
      expect(command.endsWith(end)).toBe(true);
    }
  });

  test('contain no key, and keep their identities at every level', () => {
    const identities = recordingLevels.map((codingAgents) => {
      const own = payloadsOf({ codingAgents }).slice(-2);
      expect(JSON.stringify(own)).not.toContain('svc_sk_verysecret');
      return own.map((one) => `${String(one['PayloadIdentifier'])} ${String(one['PayloadUUID'])}`);
    });
    expect(new Set(identities.flat()).size).toBe(2);
  });
});
