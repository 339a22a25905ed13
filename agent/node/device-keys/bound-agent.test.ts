// @module-tag swtpm
// @module-tag tpm2_unseal

import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchAgentReport } from '../status/status-socket.ts';
import type { AgentRuntime } from '../start-agent.ts';
import { flowOf } from '../testing/flow.ts';
import { enrolled, setUpAgent, until } from '../testing/set-up-agent.ts';
import { createManagedTestComputer } from '../testing/test-computer.ts';
import { runChecks } from '../doctor/testing/run-checks.ts';
import { type SoftwareTpm, startSoftwareTpm } from './testing/software-tpm.ts';

const world = setUpAgent();
const { stored } = world;

let tpm: SoftwareTpm;
let other: SoftwareTpm;
beforeAll(async () => {
  [tpm, other] = await Promise.all([startSoftwareTpm(), startSoftwareTpm()]);
});
afterAll(() => Promise.all([tpm.stop(), other.stop()]));

const keyBinding = async (): Promise<unknown> => {
  const report = await fetchAgentReport(join(world.place.stateDir, 'status.sock'));
  return report !== null && typeof report === 'object' ? report.key_binding : report;
};
const bound = (): Promise<void> =>
  until(async () => expect(await keyBinding()).toEqual({ state: 'bound' }));
const loggedLines = (part: string): string[] =>
  world.place.lines.filter((line) => line.includes(part));
const plainKeys = (): string[] =>
  readdirSync(world.place.stateDir).filter(
    (name) =>
      name.includes('.pem') &&
      readFileSync(join(world.place.stateDir, name), 'utf8').includes('BEGIN PRIVATE KEY'),
  );

test('keys of a new device are bound before they are stored, and used after a restart', async () => {
  const plain = new Set<string>();
  world.plane.refuse = (route) => {
    if (route === 'enroll') for (const name of plainKeys()) plain.add(name);
    return null;
  };
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  expect([...plain, ...plainKeys()]).toEqual([]);
  const key = stored('identity.key.pem');
  await world.place.stopAll();
  const agent = await world.place.start({ tpm: tpm.tcti });
  await enrolled(agent);
  await bound();
  expect(agent.status()).toMatchObject({ problems: [], key_binding: 'bound' });
  expect([world.plane.calls.enroll, stored('identity.key.pem')]).toEqual([1, key]);
});

test('keys of an earlier version are bound at the next start, for the same identity', async () => {
  await enrolled(await world.place.start());
  expect(plainKeys()).toEqual(['identity.key.pem']);
  await world.place.stopAll();
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  expect([plainKeys(), world.plane.calls.enroll]).toEqual([[], 1]);
});

test('the agent checks its identity with bound keys in doctor, too', async () => {
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  const checks = await runChecks(world.place, { env: { AGENT_TPM: tpm.tcti } });
  expect(checks.get('device-keys')).toMatchObject({
    state: 'ok',
    seen: "The keys of this device are bound to this computer's TPM.",
  });
  expect(checks.get('identity')?.seen).toMatch(/the control plane accepts its certificate/);
});

test('a folder of a computer with another TPM gives no identity: this one enrolls with new keys', async () => {
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  await world.place.stopAll();
  await using copy = createManagedTestComputer(world.plane);
  cpSync(world.place.stateDir, copy.stateDir, { recursive: true });
  const [identity, key] = [stored('identity.pem'), stored('identity.key.pem')];
  const beats = world.plane.heartbeats.length;
  const agent = await copy.start({ tpm: other.tcti });
  await until(() => copy.observe(flowOf('of-the-copy')));
  await until(() => expect(world.plane.calls.enroll).toBe(2));
  await enrolled(agent);
  const ofCopy = (name: string): string => readFileSync(join(copy.stateDir, name), 'utf8');
  expect(ofCopy('identity.pem')).not.toBe(identity);
  expect(ofCopy('identity.key.pem')).not.toBe(key);
  const lines = copy.lines.filter((line) => line.includes('cannot be used on this computer'));
  expect(lines).toEqual([
    expect.stringMatching(/ error state: .*this computer's TPM has not sealed it.* enrolls again/),
  ]);
  await until(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats));
  await until(() => expect(JSON.stringify([...world.plane.batches])).toContain('of-the-copy'));
  // Its new keys are bound to its own TPM.
  await copy.stopAll();
  await enrolled(await copy.start({ tpm: other.tcti }));
  expect(world.plane.calls.enroll).toBe(2);
});

test('while the TPM is busy, the agent observes and keeps its identity, and then sends', async () => {
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  await world.place.stopAll();
  tpm.setBusy(true);
  const before = tpm.commands();
  const beats = world.plane.heartbeats.length;
  const agent = await world.place.start({ tpm: tpm.tcti });
  await until(() => world.place.observe(flowOf('while-busy')));
  expect(agent.status()).toMatchObject({ phase: 'enrolled', connected: false });
  await until(() => expect(tpm.commands()).toBeGreaterThan(before));
  await until(() => expect(agent.status().counts.queued).toBe(1));
  expect(world.plane.heartbeats.length).toBe(beats);
  tpm.setBusy(false);
  await enrolled(agent);
  await until(() => expect(JSON.stringify([...world.plane.batches])).toContain('while-busy'));
  expect([world.plane.calls.enroll, loggedLines(' error ')]).toEqual([1, []]);
});

test('the key of the authority is bound, too, and is used after a start without its TPM', async () => {
  const config = { capture_enabled: true, intercept_hosts: ['api.openai.com'] };
  world.plane.config = { ...world.plane.config, ...config };
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  expect([world.names().includes('intermediate.key.pem'), plainKeys()]).toEqual([true, []]);
  const authority = stored('intermediate.pem');
  await world.place.stopAll();
  tpm.setBusy(true);
  const agent = await world.place.start({ tpm: tpm.tcti });
  await until(() => expect(agent.status().phase).toBe('enrolled'));
  const acknowledged = world.plane.applied.length;
  tpm.setBusy(false);
  await enrolled(agent);
  await until(() => expect(world.plane.applied.length).toBeGreaterThan(acknowledged));
  expect([world.plane.calls.renew, stored('intermediate.pem')]).toEqual([0, authority]);
});

test('an agent whose TPM cannot be used reports it once, keeps its identity, and stops at once', async () => {
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  const key = stored('identity.key.pem');
  await world.place.stopAll();
  const agent = await world.place.start({ tpm: 'swtpm:host=127.0.0.1,port=1' });
  const problem = /^keys: they are bound to this computer's TPM, which cannot be used now: tpm2/;
  const reported = (of: AgentRuntime): Promise<void> =>
    until(() => expect(of.status().problems).toEqual([expect.stringMatching(problem)]));
  await reported(agent);
  const checks = await runChecks(world.place);
  expect(checks.get('device-keys')).toMatchObject({ state: 'problem', advice: { who: 'IT' } });
  await world.place.stopAll();
  await reported(await world.place.start({ tpm: 'swtpm:host=127.0.0.1,port=1' }));
  await world.place.stopAll();
  expect(loggedLines('which cannot be used now')).toHaveLength(2);
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  expect([world.plane.calls.enroll, stored('identity.key.pem')]).toEqual([1, key]);
});

test.each([
  ['/dev/no-such-tpm', 'this computer has no TPM 2.0: there is no /dev/no-such-tpm'],
  [null, process.platform === 'linux' ? 'AGENT_TPM is off' : 'the agent uses TPMs only on Linux'],
])('with the TPM %j, keys are stored as before, which is no problem', async (device, reason) => {
  const agent = await world.place.start({ tpm: device });
  await enrolled(agent);
  expect(await keyBinding()).toEqual({ state: 'not_bound', reason });
  expect(agent.status()).toMatchObject({ problems: [], key_binding: 'not_bound' });
  expect(plainKeys()).toEqual(['identity.key.pem']);
  expect(loggedLines("not bound to this computer's TPM")).toHaveLength(1);
  const checks = await runChecks(world.place);
  expect(checks.get('device-keys')).toEqual({
    id: 'device-keys',
    state: 'ok',
    seen: `Note: the keys of this device are kept in a file, not bound to this computer's TPM: ${reason}.`,
    advice: null,
  });
});

test('a device whose sealed key is damaged, or whose binding is switched off, enrolls again', async () => {
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  await world.place.stopAll();
  await enrolled(await world.place.start({ tpm: null }));
  expect([world.plane.calls.enroll, plainKeys()]).toEqual([2, ['identity.key.pem']]);
  await world.place.stopAll();
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  await bound();
  await world.place.stopAll();
  rmSync(join(world.place.stateDir, 'sealed-key.json'));
  await enrolled(await world.place.start({ tpm: tpm.tcti }));
  expect(world.plane.calls.enroll).toBe(3);
});
