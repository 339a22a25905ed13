import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { build, type PlistValue } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodingAgentLevel } from '#contract/guard.ts';
import { loadSamples, sessionOf } from '../otel/samples.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { readProfile } from '../support/device.ts';
import { pollUntil, type Program, startProgram, startCommand } from '../support/processes.ts';

const CODEX = 'etc/codex/managed_config.toml';
const HEADERS = 'etc/claude-code/gatehouse-otel-headers.json';
const SETTINGS = 'etc/claude-code/managed-settings.d/90-gatehouse.json';
const COMPANY = 'model = "gpt-5.1-codex"\n';

/** Uses a real control plane and a real agent process whose system is a folder. */
describe('settings of coding agents, end to end', () => {
  let service: TestControlPlane;
  let folder: string;
  let env: Record<string, string>;
  let agent: Program;

  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-coding-'));
    const { config, root } = await readProfile(service);
    writeFileSync(join(folder, 'managed.plist'), build(config as PlistValue));
    writeFileSync(join(folder, 'roots.pem'), root);
    put(CODEX, COMPANY);
    env = {
      MANAGED_PREFERENCES: join(folder, 'managed.plist'),
      AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
      AGENT_STATE_DIR: join(folder, 'state'),
      AGENT_SYSTEM_ROOT: join(folder, 'system'),
      AGENT_HARDWARE_ID: 'machine-of-the-test',
      AGENT_HEARTBEAT_SECONDS: '0.5',
      AGENT_PROXY_PORT: 'off',
      AGENT_OTLP_PORT: '0',
    };
    agent = startProgram('agent/headless.ts', env);
    await agent.waitForOutput('enrolled as');
  });
  afterAll(async () => {
    await agent?.stop();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, 'system', path)), { recursive: true });
    writeFileSync(join(folder, 'system', path), text);
  };
  const textOf = (path: string): string =>
    existsSync(join(folder, 'system', path))
      ? readFileSync(join(folder, 'system', path), 'utf8')
      : '';
  const guard = (coding_agents: CodingAgentLevel) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config: { coding_agents } } });
  const becomes = (path: string, text: string) =>
    pollUntil(
      () => textOf(path),
      (now) => (text === '' ? now === '' : now.includes(text)),
    );
  const keyOf = (): string =>
    (JSON.parse(textOf(HEADERS)) as Record<string, string>)['x-svc-key'] ?? '';
  const device = async () => (await service.byOwner.devices.listDevices({ query: {} })).results[0];

  test('they are written as soon as an administrator chooses a level, and take effect', async () => {
    await guard('prompts');
    await becomes(CODEX, 'log_user_prompt = true');
    await becomes(SETTINGS, 'OTEL_LOG_USER_PROMPTS');
    const { env: set } = JSON.parse(textOf(SETTINGS)) as { env: Record<string, string> };
    const { otel } = parse(textOf(CODEX)) as {
      otel: { exporter: { 'otlp-http': { endpoint: string; headers: Record<string, string> } } };
    };
    const { endpoint, headers } = otel.exporter['otlp-http'];
    expect(endpoint).toBe(`${set.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/logs`);
    expect(headers).toEqual(JSON.parse(textOf(HEADERS)));

    const samples = await loadSamples('codex-logs');
    for (const { body } of samples) {
      const type = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) };
      expect((await fetch(endpoint, init)).status).toBe(200);
    }
    const { results } = await service.byOwner.runs.listRuns({ query: { agent: 'codex' } });
    const [listed] = results.filter(({ session_id }) => session_id === sessionOf(samples));
    const params = { id: String(listed?.id) };
    expect(await service.byOwner.runs.getRun({ params })).toMatchObject({
      inputs: { prompt: 'Is it warm in Paris?' },
      device: { id: (await device())?.id },
    });
  });

  test('the key is not logged, and doctor lists every file', async () => {
    expect(agent.output()).not.toContain(keyOf());
    const doctor = startCommand([process.execPath, 'agent/headless.ts', 'doctor', '--json'], env);
    await doctor.waitForOutput('"coding-agents"');
    await doctor.waitForOutput(`/${SETTINGS}`);
    await doctor.stop();
    expect(doctor.output()).not.toContain(keyOf());
  });

  test('a change by another program is undone, and the console shows it', async () => {
    const key = keyOf();
    put(HEADERS, '{"x-svc-key": "of another"}');
    await becomes(HEADERS, key);
    const params = { id: (await device())?.id ?? '' };
    await pollUntil(
      () => service.byOwner.devices.getDevice({ params }),
      ({ problems }) =>
        problems.some((line) =>
          line.includes('was changed by another program and has been restored'),
        ),
    );
  });

  test('switching off restores the original settings, and the key is refused', async () => {
    const key = keyOf();
    await guard('off');
    await becomes(HEADERS, '');
    await pollUntil(
      () => textOf(CODEX),
      (text) => text === COMPANY,
    );
    await pollUntil(
      () => existsSync(join(folder, 'system/etc/claude-code')),
      (exists) => !exists,
    );
    const headers = { 'x-svc-key': key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    expect((await fetch(`${service.urls.public}/api/v1/otel/v1/logs`, init)).status).toBe(401);
  });

  test('uninstalling restores them too', async () => {
    await guard('tools');
    await becomes(CODEX, 'svc_sd_');
    await agent.stop();
    expect(textOf(CODEX)).toContain('svc_sd_');
    const ended = startCommand([process.execPath, 'agent/headless.ts', 'uninstall'], {
      ...env,
      AGENT_SYSTEM_TRUST: 'off',
    });
    await ended.waitForOutput('Codex is no longer recorded');
    await pollUntil(
      () => [textOf(CODEX), textOf(HEADERS)],
      ([codex, headers]) => codex === COMPANY && headers === '',
    );
  });
});
