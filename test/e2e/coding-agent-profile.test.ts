import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, parse as parsePlist, type PlistValue } from 'plist';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAgentConfig } from '#agent/config.ts';
import { createLog } from '#agent/node/log.ts';
import { type AgentRuntime, startAgent } from '#agent/node/start-agent.ts';
import type { CodingAgentLevel } from '#contract/guard.ts';
import { RELAY_PORT } from '#domain/coding-agents/relay-address.ts';
import { macStateFolder, TOOL_SOCKET_NAME } from '#domain/coding-agents/tool-socket.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { loadSamples, sessionOf } from '../otel/samples.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { freePort, pollUntil, startCommand } from '../support/processes.ts';

interface Hooks {
  PreToolUse: [{ hooks: [{ command: string }] }];
}

/**
 * Installs a real profile as macOS does, with one file for each preference domain, for an agent that
 * cannot write settings, like the app on a Mac. Only the port of the relay is another one.
 */
describe('a profile with settings of coding agents, end to end', () => {
  let service: TestControlPlane;
  let folder: string;
  let env: Record<string, string>;
  let agent: AgentRuntime;

  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-coding-'));
    const port = await freePort();
    const profile = await service.byKey.deployment.getMdmProfile({
      query: { coding_agents: 'tools', tool_checks: 'closed' },
    });
    install(profile, port);
    // A file in place of a folder also stops root.
    writeFileSync(join(folder, 'system'), '');
    env = {
      MANAGED_PREFERENCES: join(folder, 'com.gatehouse.agent.proxymonitor.plist'),
      AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
      AGENT_STATE_DIR: join(folder, 'state'),
      AGENT_SYSTEM_ROOT: join(folder, 'system'),
      AGENT_HARDWARE_ID: 'machine-of-the-test',
      AGENT_HEARTBEAT_SECONDS: '0.5',
      AGENT_TOOL_SOCKET: join(home(), macStateFolder('com.gatehouse.agent'), TOOL_SOCKET_NAME),
      AGENT_PROXY_PORT: 'off',
      AGENT_OTLP_PORT: String(port),
    };
    const read = readAgentConfig(env);
    if ('error' in read) throw new Error(read.error);
    agent = await startAgent({
      ...read.config,
      toolPreferences: folder,
      log: createLog({ level: 'error', write: () => {} }),
      observe: async () => ({ openFlows: () => [], stop: async () => {} }),
      scan: async () => ({ apps: [], problems: [] }),
    });
  });
  afterAll(async () => {
    await agent?.stop();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function install(profile: string, port: number): void {
    const { PayloadContent } = parsePlist(profile) as unknown as { PayloadContent: PlistValue[] };
    const { domain, plist } = materializeManagedConfig(profile);
    writeFileSync(join(folder, `${domain}.plist`), plist);
    writeFileSync(join(folder, 'roots.pem'), trustedRoots(profile));
    for (const payload of PayloadContent as {
      PayloadType: string;
      config_toml_base64?: string;
    }[]) {
      if (!/^com\.(anthropic|openai)\./.test(payload.PayloadType)) continue;
      const [from, to] = [`:${RELAY_PORT}/`, `:${port}/`];
      const toml = Buffer.from(payload.config_toml_base64 ?? '', 'base64').toString();
      const moved = {
        ...(JSON.parse(JSON.stringify(payload).replace(from, to)) as object),
        ...(toml && { config_toml_base64: Buffer.from(toml.replace(from, to)).toString('base64') }),
      };
      writeFileSync(join(folder, `${payload.PayloadType}.plist`), build(moved));
    }
  }

  const home = (): string => join(folder, 'home');
  const guard = async (coding_agents: CodingAgentLevel): Promise<void> => {
    const config = { coding_agents, tool_checks: 'open' as const };
    await service.byOwner.guard.putLayer({ body: { layer: 'global', config } });
    const isInForce = () => agent.status().coding_agents.level;
    await pollUntil(isInForce, (level) => level === coding_agents);
  };
  const tools = () => agent.status().coding_agents.files.map(({ tool }) => tool);
  /** The endpoint as Codex reads it. */
  const codexEndpoint = (): string => {
    const file = readFileSync(join(folder, 'com.openai.codex.plist'), 'utf8');
    const { config_toml_base64 } = parsePlist(file) as { config_toml_base64: string };
    const { otel } = parse(Buffer.from(config_toml_base64, 'base64').toString()) as {
      otel: { exporter: { 'otlp-http': { endpoint: string } } };
    };
    return otel.exporter['otlp-http'].endpoint;
  };
  /** The commands of the hooks as both tools read them. */
  const hookCommands = (): string[] => {
    const preferencesOf = (domain: string) =>
      parsePlist(readFileSync(join(folder, `${domain}.plist`), 'utf8')) as Record<string, unknown>;
    const requirements = preferencesOf('com.openai.codex')['requirements_toml_base64'] as string;
    const settings: Record<string, unknown>[] = [
      preferencesOf('com.anthropic.claudecode'),
      parse(Buffer.from(requirements, 'base64').toString()),
    ];
    return settings.map(({ hooks }) => (hooks as Hooks).PreToolUse[0].hooks[0].command);
  };
  /** Runs a hook as the tools do, in the home of the user. */
  const runHook = async (command: string, tool_name: string): Promise<string> => {
    const child = spawn('/bin/sh', ['-c', command], {
      env: { PATH: process.env.PATH, HOME: home() },
    });
    child.stdin.end(JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name }));
    return text(child.stdout);
  };
  /** Sends a session of Codex without a key; returns the inputs of its run. */
  const inputsOfSession = async () => {
    const samples = await loadSamples('codex-logs');
    for (const { body } of samples) {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      expect((await fetch(codexEndpoint(), init)).status).toBe(200);
    }
    const { runs, devices } = service.byOwner;
    const { results } = await runs.listRuns({ query: { agent: 'codex' } });
    const [listed] = results.filter(({ session_id }) => session_id === sessionOf(samples));
    const run = await runs.getRun({ params: { id: String(listed?.id) } });
    const [device] = (await devices.listDevices({ query: {} })).results;
    expect(run.device?.id).toBe(device?.id);
    return run.inputs;
  };

  test('makes the agent record for the device, without files and without a key', async () => {
    await guard('tools');
    await pollUntil(tools, (names) => names.join() === 'Claude Code,Codex,Claude Code,Codex');
    expect(await inputsOfSession()).toEqual({ prompt: 'Is it warm in Paris?' });
    const [device] = (await service.byOwner.devices.listDevices({ query: {} })).results;
    expect(device?.problems.join()).not.toMatch(/claude|codex/i);
  });

  test('is listed by doctor as delivered by device management', async () => {
    const doctor = startCommand([process.execPath, 'agent/headless.ts', 'doctor', '--json'], env);
    await doctor.waitForOutput('"coding-agents"');
    await doctor.waitForOutput(
      `Device management delivered ${join(folder, 'com.anthropic.claudecode.plist')} (Claude Code), ` +
        `${join(folder, 'com.openai.codex.plist')} (Codex).`,
    );
    await doctor.stop();
  });

  test('makes both tools ask the agent before they call a tool', { tags: ['curl'] }, async () => {
    const rules = { blocked_tools: ['Bash'] };
    await service.byOwner.policies.createPolicy({
      body: { name: 'No shell', category: 'tool-allowlist', rules },
    });
    for (const command of hookCommands()) {
      const asked = (tool: string) => pollUntil(() => runHook(command, tool), Boolean);
      await pollUntil(
        () => asked('Bash'),
        (answer) => answer.includes('No shell'),
      );
      expect(JSON.parse(await asked('Read'))).toEqual({});
    }
  });

  test('does not raise the level of Guard', async () => {
    await guard('metadata');
    // The control plane caches the level of a key for a moment.
    await pollUntil(inputsOfSession, (inputs) => !JSON.stringify(inputs).includes('Paris'));
  });

  test('has no effect while Guard is off: nothing listens', async () => {
    await guard('off');
    await pollUntil(
      () =>
        fetch(codexEndpoint(), { method: 'POST' }).then(
          () => 'answered',
          () => 'refused',
        ),
      (answer) => answer === 'refused',
    );
    expect(tools()).toEqual(['Claude Code', 'Codex']);
  });
});
