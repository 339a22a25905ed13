// @module-tag swtpm
// @module-tag tpm2_unseal

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type SoftwareTpm,
  startSoftwareTpm,
} from '#agent/node/device-keys/testing/software-tpm.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { readProfile } from '../support/device.ts';
import { type Program, startProgram } from '../support/processes.ts';

let service: TestControlPlane;
let tpm: SoftwareTpm;
let other: SoftwareTpm;
let folder: string;
beforeAll(async () => {
  [service, tpm, other] = await Promise.all([
    startTestControlPlane('sqlite'),
    startSoftwareTpm(),
    startSoftwareTpm(),
  ]);
  folder = mkdtempSync(join(tmpdir(), 'bound-keys-'));
  const { apiKey, root } = await readProfile(service);
  const preferences = { api_url: service.urls.device, api_key: apiKey };
  writeFileSync(join(folder, 'managed.plist'), build(preferences));
  writeFileSync(join(folder, 'roots.pem'), root);
});
const agents: Program[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.stop('SIGKILL')));
});
afterAll(async () => {
  await Promise.all([service.stop(), tpm.stop(), other.stop()]);
  rmSync(folder, { recursive: true });
});

const stateOf = (computer: string): string => join(folder, computer);

function startAgent(computer: string, device: string, hardwareId: string): Program {
  mkdirSync(stateOf(computer), { recursive: true });
  const agent = startProgram('agent/headless.ts', {
    MANAGED_PREFERENCES: join(folder, 'managed.plist'),
    AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
    AGENT_STATE_DIR: stateOf(computer),
    AGENT_HARDWARE_ID: hardwareId,
    AGENT_TPM: device,
    AGENT_HEARTBEAT_SECONDS: '0.5',
    AGENT_PROXY_PORT: 'off',
    AGENT_OTLP_PORT: 'off',
  });
  agents.push(agent);
  return agent;
}

/** Lets a computer enroll, and returns its device id. */
async function enroll(computer: string, hardwareId: string): Promise<string> {
  const agent = startAgent(computer, tpm.tcti, hardwareId);
  await agent.waitForOutput(/enrolled as dev_/);
  const id = /enrolled as (dev_\w+)/.exec(agent.output())?.[1] ?? '';
  expect(agent.output()).toContain("the keys are bound to this computer's TPM");
  await agent.stop('SIGKILL');
  return id;
}

test('an agent that was killed returns with its identity, which its TPM unseals', async () => {
  const id = await enroll('killed', 'bound-hardware-1');
  const certificate = readFileSync(join(stateOf('killed'), 'identity.pem'), 'utf8');
  const agent = startAgent('killed', tpm.tcti, 'bound-hardware-1');
  await expect
    .poll(async () => (await service.byOwner.devices.getDevice({ params: { id } })).online)
    .toBe(true);
  expect(agent.output()).not.toMatch(/enrolled as|error (state|keys)/);
  expect(readFileSync(join(stateOf('killed'), 'identity.pem'), 'utf8')).toBe(certificate);
});

test('a copied state folder is noticed, and does not bring back a revoked device', async () => {
  const id = await enroll('original', 'bound-hardware-2');
  cpSync(stateOf('original'), stateOf('copy'), { recursive: true });
  const certificateOf = (computer: string): string =>
    readFileSync(join(stateOf(computer), 'identity.pem'), 'utf8');

  const agent = startAgent('copy', other.tcti, 'bound-hardware-2');
  await agent.waitForOutput(/error state: .*TPM has not sealed it.*This computer enrolls again/);
  await agent.waitForOutput(`enrolled as ${id}`);
  expect(certificateOf('copy')).not.toBe(certificateOf('original'));
  expect(agent.output().match(/TPM has not sealed it/g)).toHaveLength(1);
  // The certificate of the original was revoked, so the other computer is noticed there, too.
  await service.byOwner.enrollment.revokeDevice({ params: { id }, body: {} });
  await agent.waitForOutput(/error enroll: 403 .*revoked/);
  const { status } = await service.byOwner.devices.getDevice({ params: { id } });
  expect(status).toBe('revoked');
});

test('a copy on a computer without a TPM does not act as the device', async () => {
  const id = await enroll('bound', 'bound-hardware-3');
  cpSync(stateOf('bound'), stateOf('without'), { recursive: true });
  const before = await service.byOwner.devices.getDevice({ params: { id } });
  const agent = startAgent('without', '/dev/no-such-tpm', 'bound-hardware-3');
  await agent.waitForOutput(/error keys: .*there is no \/dev\/no-such-tpm/);
  await agent.waitForOutput('agent started');
  const { last_seen } = await service.byOwner.devices.getDevice({ params: { id } });
  expect([last_seen, agent.output()]).toEqual([
    before.last_seen,
    expect.not.stringMatching(/enrolled as/),
  ]);
});
