import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { describeCertificate } from '#pki/certificate.ts';
import { flowOf } from './testing/flow.ts';
import { startTestControlPlane } from './testing/control-plane.ts';
import { createManagedTestComputer, createTestComputer } from './testing/test-computer.ts';
import { enrolled, setUpAgent, until } from './testing/set-up-agent.ts';

const DAY = 86_400_000;
const world = setUpAgent();
const { stored, names } = world;

/**
 * Waits as long as an agent with short pauses takes for several requests, however busy the machine
 * is.
 */
async function whileAnotherAsksAgain(): Promise<void> {
  const other = await startTestControlPlane();
  other.refuse = () => ({ status: 503, message: 'later' });
  const impatient = createManagedTestComputer(other);
  await impatient.start();
  await until(() => expect(other.calls.enroll).toBeGreaterThan(5));
  await impatient[Symbol.asyncDispose]();
  await other.stop();
}

describe('enrollment', () => {
  test('leads from an empty state to enrolled, connected and reporting', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    await until(() => expect(world.plane.applied).toContain(1));
    await until(() => expect(world.plane.heartbeats.at(-1)?.applied_version).toBe(1));
    await until(() => expect([...world.plane.inventories.values()]).toEqual([[]]));
    expect(agent.status()).toMatchObject({
      device_id: 'dev_1',
      api_host: new URL(world.plane.url()).host,
      config_version: 1,
      capture: { enabled: false, hosts: [], processes: [] },
      problems: [],
    });
    expect(world.plane.calls.enroll).toBe(1);
  });

  test('the folder and files are private, there is no authority while capture is off, and no key in the log', async () => {
    await enrolled(await world.place.start());
    expect(names()).toEqual([
      'agent.lock',
      'captures',
      'device.json',
      'identity.key.pem',
      'identity.pem',
      'root.pem',
      'spool',
      'status.sock',
      'tool-calls',
      'tools.sock',
    ]);
    // The tool socket is excluded, because an agent of root answers the tools of every user.
    const own = names().filter((name) => name !== 'tools.sock');
    const modes = own.map((name) => statSync(join(world.place.stateDir, name)).mode & 0o077);
    expect(new Set([statSync(world.place.stateDir).mode & 0o077, ...modes])).toEqual(new Set([0]));
    expect(world.place.lines.join('') + stored('device.json')).not.toContain(world.plane.apiKey);
  });

  test('the profile may arrive after the agent has started', async () => {
    rmSync(world.place.preferences);
    const agent = await world.place.start();
    expect(agent.status().phase).toBe('waiting for configuration');
    await until(() =>
      expect(agent.status().problems).toEqual([
        `managed preferences: ${world.place.preferences}: no such file yet`,
      ]),
    );
    world.place.manage({ api_url: world.plane.url(), api_key: world.plane.apiKey });
    await enrolled(agent);
    expect(agent.status().problems).toEqual([]);
  });

  test('a restart uses the same identity', async () => {
    const first = await world.place.start();
    await enrolled(first);
    const identity = stored('identity.pem');
    await first.stop();
    await enrolled(await world.place.start());
    expect(stored('identity.pem')).toBe(identity);
    expect(world.plane.calls.enroll).toBe(1);
  });

  test('failed attempts keep the keys, and the first possible attempt succeeds', async () => {
    const requests = new Set<string>();
    world.plane.refuse = (route) =>
      route === 'enroll' ? { status: 503, message: 'not now' } : null;
    const agent = await world.place.start();
    await until(() => expect(world.plane.calls.enroll).toBeGreaterThan(2));
    requests.add(stored('identity.key.pem'));
    world.plane.refuse = () => null;
    await enrolled(agent);
    requests.add(stored('identity.key.pem'));
    expect(requests.size).toBe(1);
  });

  test('a device that waits for approval retries with the same keys, without logging problems', async () => {
    const sentKeys = new Set<string>();
    world.plane.retryAfter = 1;
    world.plane.refuse = (route) => {
      if (route === 'enroll') sentKeys.add(stored('identity.key.pem'));
      return null;
    };
    const agent = await world.place.start();
    await until(() => expect(agent.status().phase).toBe('waiting for approval'));
    await until(() => expect(world.plane.calls.enroll).toBe(2));
    expect(agent.status().problems).toEqual([]);
    expect(world.place.lines.filter((line) => line.includes('waits for approval'))).toHaveLength(1);
    world.plane.retryAfter = null;
    await enrolled(agent);
    expect([world.plane.calls.enroll, sentKeys.size]).toEqual([3, 1]);
  });

  test('a waiting device retries at the requested interval, not at its own shorter one', async () => {
    world.plane.retryAfter = 3600;
    const agent = await world.place.start();
    await until(() => expect(agent.status().phase).toBe('waiting for approval'));
    await whileAnotherAsksAgain();
    expect(world.plane.calls.enroll).toBe(1);
  });

  test('roots from the control plane are trusted, also after a restart', async () => {
    const next = await startTestControlPlane();
    world.plane.otherRoots = [next.root.certificatePem];
    const agent = await world.place.start();
    await enrolled(agent);
    expect(stored('root.pem').match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    await agent.stop();
    // The same control plane, with a certificate of a root that the profile does not contain yet.
    world.place.manage({ api_url: next.url(), api_key: next.apiKey });
    const again = await world.place.start();
    await until(() => expect(next.calls.heartbeat + next.calls.enroll).toBeGreaterThan(0));
    expect(again.status().problems.join()).not.toContain('certificate of');
    await again.stop();
    await next.stop();
  });

  test('an identity that the control plane no longer knows is replaced', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.revoked.add(describeCertificate(stored('identity.pem')).serial);
    await until(() => expect(world.plane.calls.enroll).toBe(2));
    const beats = world.plane.heartbeats.length;
    await until(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats + 1));
    expect(world.plane.calls.enroll).toBe(2);
  });

  test('a control plane that issues identities and then refuses them is not retried endlessly', async () => {
    world.plane.refuse = (route) =>
      route === 'enroll' ? null : { status: 401, message: 'who is that' };
    const agent = await world.place.start({ backoff: { firstMs: 1e9, maxMs: 1e9 } });
    await until(() => expect(world.plane.calls.enroll).toBe(2));
    await until(() => expect(agent.status().phase).toBe('enrolling'));
    await whileAnotherAsksAgain();
    expect(world.plane.calls.enroll).toBe(2);
  });

  test('two computers with one hardware id do not alternate forever, and report the probable cause', async () => {
    const serials: string[] = [];
    world.plane.alter = (issued) => {
      serials.forEach((serial) => world.plane.revoked.add(serial));
      serials.push(describeCertificate(issued.identity_certificate).serial);
      return issued;
    };
    await using clone = createManagedTestComputer(world.plane);
    const backoff = { firstMs: 1e9, maxMs: 1e9 };
    const agents = [await world.place.start({ backoff }), await clone.start({ backoff })];
    const disputed = (): string[] =>
      agents
        .flatMap((agent) => agent.status().problems)
        .filter((line) => line.startsWith('identity:'));
    await until(() =>
      expect(disputed()).toEqual([
        'identity: refused again soon after it was issued; another computer may use this ' +
          'hardware id, and AGENT_HARDWARE_ID gives this one its own',
      ]),
    );
    const beats = world.plane.heartbeats.length;
    await until(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats + 3));
    expect(world.plane.calls.enroll).toBeLessThan(5);
  });

  test('a folder copied from another computer makes this one enroll itself, with its own keys', async () => {
    await enrolled(await world.place.start());
    await until(() => expect(world.plane.heartbeats.at(-1)?.applied_version).toBe(1));
    world.plane.refuse = (route) =>
      route === 'reportFlows' ? { status: 503, message: 'later' } : null;
    world.place.observe(flowOf('of-the-other'));
    await world.place.stopAll();
    const key = stored('identity.key.pem');
    world.plane.refuse = () => null;
    world.plane.deviceId = 'dev_2';
    const beats = world.plane.heartbeats.length;
    const agent = await world.place.start({ hardwareId: 'test-machine-0002' });
    await enrolled(agent);
    expect(agent.status().device_id).toBe('dev_2');
    expect(stored('identity.key.pem')).not.toBe(key);
    expect(world.place.lines.join('')).toContain(
      'error state: the state folder belongs to another computer',
    );
    await until(() => expect(world.plane.heartbeats.slice(beats).at(-1)?.queued).toBe(0));
    expect([...world.plane.batches.values()]).toEqual([]);
  });

  test('a record from a version without hardware ids is completed', async () => {
    await enrolled(await world.place.start());
    await world.place.stopAll();
    const { hardware_id, ...earlier } = JSON.parse(stored('device.json')) as Record<
      string,
      unknown
    >;
    expect(hardware_id).toBe('test-machine-0001');
    writeFileSync(join(world.place.stateDir, 'device.json'), JSON.stringify(earlier));
    await enrolled(await world.place.start({ hardwareId: 'test-machine-0002' }));
    expect(world.plane.calls.enroll).toBe(1);
    expect(JSON.parse(stored('device.json'))).toMatchObject({ hardware_id: 'test-machine-0002' });
  });

  test('an identity that expired while the agent was off is replaced', async () => {
    world.plane.now = Date.now() - 29.9 * DAY;
    const agent = await world.place.start();
    await until(() => expect(agent.status().phase).toBe('enrolled'));
    await agent.stop();
    world.plane.now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY / 5 });
    try {
      await enrolled(await world.place.start());
      expect(world.plane.calls.enroll).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('at two thirds of its life an identity is renewed, with its certificate and for the same key', async () => {
    world.plane.now = Date.now() - 22 * DAY;
    world.plane.alter = (issued) => {
      world.plane.now = Date.now();
      return issued;
    };
    const agent = await world.place.start();
    await until(() => expect(world.plane.calls.renew).toBe(1));
    await until(() =>
      expect(agent.status().identity_expires_at).toBeGreaterThan(Date.now() + 29 * DAY),
    );
    await enrolled(agent);
    expect([world.plane.calls.enroll, world.plane.calls.renew]).toEqual([1, 1]);
  });
});

test('an unmanaged computer creates only its folder', async () => {
  await using bare = createTestComputer();
  const agent = await bare.start();
  expect(agent.status()).toMatchObject({ phase: 'waiting for configuration', api_host: null });
  expect(existsSync(join(bare.stateDir, 'identity.key.pem'))).toBe(false);
  await agent.stop();
  expect(readdirSync(bare.stateDir)).toEqual(['captures', 'spool', 'tool-calls']);
});
