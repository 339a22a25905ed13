import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { FlowObserver } from './flows/observer.ts';
import type { AgentRuntime } from './runtime.ts';
import { flowOf } from './testing/flow.ts';
import {
  captureOf,
  noCapture,
  startTestControlPlane,
  type TestControlPlane,
} from './testing/control-plane.ts';
import {
  createManagedTestComputer,
  createTestComputer,
  type TestComputer,
} from './testing/test-computer.ts';

const DAY = 86_400_000;
const quiet: FlowObserver = { stop: async () => undefined, openFlows: () => [] };

let plane: TestControlPlane;
let place: TestComputer;
beforeEach(async () => {
  plane = await startTestControlPlane();
  place = createManagedTestComputer(plane);
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
  await plane.stop();
});

const until = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { interval: 20 });

const enrolled = (agent: AgentRuntime): Promise<void> =>
  until(() => expect(agent.status()).toMatchObject({ phase: 'enrolled', connected: true }));

const capturedHosts = (agent: AgentRuntime): string[] =>
  agent.status().capture.hosts.map(({ host }) => host);

/** As long as an agent with short pauses takes to ask several times, however busy the machine is. */
async function whileAnotherAsksAgain(): Promise<void> {
  const other = await startTestControlPlane();
  other.refuse = () => ({ status: 503, message: 'later' });
  const impatient = createManagedTestComputer(other);
  await impatient.start();
  await until(() => expect(other.calls.enroll).toBeGreaterThan(5));
  await impatient[Symbol.asyncDispose]();
  await other.stop();
}

const stored = (name: string): string => readFileSync(join(place.stateDir, name), 'utf8');
const names = (): string[] => readdirSync(place.stateDir).sort();

describe('enrolling', () => {
  test('from nothing to enrolled, connected and reporting', async () => {
    const agent = await place.start();
    await enrolled(agent);
    await until(() => expect(plane.applied).toContain(1));
    await until(() => expect(plane.heartbeats.at(-1)?.applied_version).toBe(1));
    await until(() => expect([...plane.inventories.values()]).toEqual([[]]));
    expect(agent.status()).toMatchObject({
      device_id: 'dev_1',
      api_host: new URL(plane.url()).host,
      config_version: 1,
      capture: { enabled: false, hosts: [], processes: [] },
      problems: [],
    });
    expect(plane.calls.enroll).toBe(1);
  });

  test('private folder, private files, no authority while capture is off, no key in the log', async () => {
    await enrolled(await place.start());
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
    // The agent of root answers the tools of every user.
    const own = names().filter((name) => name !== 'tools.sock');
    const modes = own.map((name) => statSync(join(place.stateDir, name)).mode & 0o077);
    expect(new Set([statSync(place.stateDir).mode & 0o077, ...modes])).toEqual(new Set([0]));
    expect(place.lines.join('') + stored('device.json')).not.toContain(plane.apiKey);
  });

  test('the profile may arrive after the agent', async () => {
    rmSync(place.preferences);
    const agent = await place.start();
    expect(agent.status().phase).toBe('waiting for configuration');
    await until(() =>
      expect(agent.status().problems).toEqual([
        `managed preferences: ${place.preferences}: no such file yet`,
      ]),
    );
    place.manage({ api_url: plane.url(), api_key: plane.apiKey });
    await enrolled(agent);
    expect(agent.status().problems).toEqual([]);
  });

  test('a restart uses the same identity', async () => {
    const first = await place.start();
    await enrolled(first);
    const identity = stored('identity.pem');
    await first.stop();
    await enrolled(await place.start());
    expect(stored('identity.pem')).toBe(identity);
    expect(plane.calls.enroll).toBe(1);
  });

  test('attempts that fail keep the keys, and the first that can succeed does', async () => {
    const requests = new Set<string>();
    plane.refuse = (route) => (route === 'enroll' ? { status: 503, message: 'not now' } : null);
    const agent = await place.start();
    await until(() => expect(plane.calls.enroll).toBeGreaterThan(2));
    requests.add(stored('identity.key.pem'));
    plane.refuse = () => null;
    await enrolled(agent);
    requests.add(stored('identity.key.pem'));
    expect(requests.size).toBe(1);
  });

  test('a device that waits for approval asks again with the same keys, and makes no noise', async () => {
    const asked = new Set<string>();
    plane.retryAfter = 1;
    plane.refuse = (route) => {
      if (route === 'enroll') asked.add(stored('identity.key.pem'));
      return null;
    };
    const agent = await place.start();
    await until(() => expect(agent.status().phase).toBe('waiting for approval'));
    await until(() => expect(plane.calls.enroll).toBe(2));
    expect(agent.status().problems).toEqual([]);
    expect(place.lines.filter((line) => line.includes('waits for approval'))).toHaveLength(1);
    plane.retryAfter = null;
    await enrolled(agent);
    expect([plane.calls.enroll, asked.size]).toEqual([3, 1]);
  });

  test('a device that waits asks when the service wants it, however impatient it is', async () => {
    plane.retryAfter = 3600;
    const agent = await place.start();
    await until(() => expect(agent.status().phase).toBe('waiting for approval'));
    await whileAnotherAsksAgain();
    expect(plane.calls.enroll).toBe(1);
  });

  test('roots that the service names are trusted, also after a restart', async () => {
    const next = await startTestControlPlane();
    plane.otherRoots = [next.root.certificatePem];
    const agent = await place.start();
    await enrolled(agent);
    expect(stored('root.pem').match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    await agent.stop();
    // The same service, with a certificate of the root that the profile does not know yet.
    place.manage({ api_url: next.url(), api_key: next.apiKey });
    const again = await place.start();
    await until(() => expect(next.calls.heartbeat + next.calls.enroll).toBeGreaterThan(0));
    expect(again.status().problems.join()).not.toContain('certificate of');
    await again.stop();
    await next.stop();
  });

  test('an identity that the service no longer knows is replaced', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.revoked.add(describeCertificate(stored('identity.pem')).serial);
    await until(() => expect(plane.calls.enroll).toBe(2));
    const beats = plane.heartbeats.length;
    await until(() => expect(plane.heartbeats.length).toBeGreaterThan(beats + 1));
    expect(plane.calls.enroll).toBe(2);
  });

  test('an enrollment service that issues identities and then refuses them is not retried without end', async () => {
    plane.refuse = (route) => (route === 'enroll' ? null : { status: 401, message: 'who is that' });
    const agent = await place.start({ backoff: { firstMs: 1e9, maxMs: 1e9 } });
    await until(() => expect(plane.calls.enroll).toBe(2));
    await until(() => expect(agent.status().phase).toBe('enrolling'));
    await whileAnotherAsksAgain();
    expect(plane.calls.enroll).toBe(2);
  });

  test('two computers with one hardware id do not take turns for ever, and say what it may be', async () => {
    const serials: string[] = [];
    plane.alter = (issued) => {
      serials.forEach((serial) => plane.revoked.add(serial));
      serials.push(describeCertificate(issued.identity_certificate).serial);
      return issued;
    };
    await using clone = createManagedTestComputer(plane);
    const backoff = { firstMs: 1e9, maxMs: 1e9 };
    const agents = [await place.start({ backoff }), await clone.start({ backoff })];
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
    const beats = plane.heartbeats.length;
    await until(() => expect(plane.heartbeats.length).toBeGreaterThan(beats + 3));
    expect(plane.calls.enroll).toBeLessThan(5);
  });

  test('a folder that was copied from another computer: this one enrolls itself, with keys of its own', async () => {
    await enrolled(await place.start());
    await until(() => expect(plane.heartbeats.at(-1)?.applied_version).toBe(1));
    plane.refuse = (route) => (route === 'reportFlows' ? { status: 503, message: 'later' } : null);
    place.observe(flowOf('of-the-other'));
    await place.stopAll();
    const key = stored('identity.key.pem');
    plane.refuse = () => null;
    plane.deviceId = 'dev_2';
    const agent = await place.start({ hardwareId: 'test-machine-0002' });
    await enrolled(agent);
    expect(agent.status().device_id).toBe('dev_2');
    expect(stored('identity.key.pem')).not.toBe(key);
    expect(place.lines.join('')).toContain('error state: the folder is of another computer');
    await until(() => expect(plane.heartbeats.at(-1)?.queued).toBe(0));
    expect([...plane.batches.values()]).toEqual([]);
  });

  test('a record of a version that knew no hardware id is completed', async () => {
    await enrolled(await place.start());
    await place.stopAll();
    const { hardware_id, ...earlier } = JSON.parse(stored('device.json')) as Record<
      string,
      unknown
    >;
    expect(hardware_id).toBe('test-machine-0001');
    writeFileSync(join(place.stateDir, 'device.json'), JSON.stringify(earlier));
    await enrolled(await place.start({ hardwareId: 'test-machine-0002' }));
    expect(plane.calls.enroll).toBe(1);
    expect(JSON.parse(stored('device.json'))).toMatchObject({ hardware_id: 'test-machine-0002' });
  });

  test('an identity that expired while the agent was off is replaced', async () => {
    plane.now = Date.now() - 29.9 * DAY;
    const agent = await place.start();
    await until(() => expect(agent.status().phase).toBe('enrolled'));
    await agent.stop();
    plane.now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY / 5 });
    try {
      await enrolled(await place.start());
      expect(plane.calls.enroll).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('at two thirds of its life an identity is renewed, by certificate and for the same key', async () => {
    plane.now = Date.now() - 22 * DAY;
    plane.alter = (issued) => {
      plane.now = Date.now();
      return issued;
    };
    const agent = await place.start();
    await until(() => expect(plane.calls.renew).toBe(1));
    await until(() =>
      expect(agent.status().identity_expires_at).toBeGreaterThan(Date.now() + 29 * DAY),
    );
    await enrolled(agent);
    expect([plane.calls.enroll, plane.calls.renew]).toEqual([1, 1]);
  });
});

describe('configuration', () => {
  test('a pushed one is acknowledged once the certificates fit it, and survives a restart', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.config = captureOf(2, 'api.openai.com', 'claude.ai');
    plane.push({ type: 'config', config: plane.config });
    await until(() => expect(plane.applied).toContain(2));
    expect(describeCertificate(stored('intermediate.pem')).permittedHosts.sort()).toEqual([
      'api.openai.com',
      'claude.ai',
    ]);
    expect(capturedHosts(agent)).toEqual(['api.openai.com', 'claude.ai']);
    await agent.stop();
    await plane.stop();
    const again = await place.start();
    await until(() => expect(capturedHosts(again)).toEqual(['api.openai.com', 'claude.ai']));
  });

  test('switching capture off removes the authority and its key, without asking', async () => {
    plane.config = captureOf(2, 'api.openai.com');
    const agent = await place.start();
    await enrolled(agent);
    expect(names()).toContain('intermediate.key.pem');
    plane.config = { ...noCapture, version: 3 };
    plane.push({ type: 'config', config: plane.config });
    await until(() => expect(plane.applied).toContain(3));
    expect(names().filter((name) => name.startsWith('intermediate'))).toEqual([]);
    expect(plane.calls.renew).toBe(0);
  });

  test('is not acknowledged while the certificates cannot be had, and is in the end', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.refuse = (route) => (route === 'renew' ? { status: 500, message: 'out of order' } : null);
    plane.config = captureOf(2, 'api.openai.com');
    plane.push({ type: 'config', config: plane.config });
    await until(() => expect(plane.calls.renew).toBeGreaterThan(1));
    expect(plane.applied).not.toContain(2);
    expect(agent.status()).toMatchObject({
      config_version: 1,
      capture: { enabled: false },
      problems: [`renewal: 500 test: out of order at ${plane.url()}`],
    });
    plane.refuse = () => null;
    await until(() => expect(plane.applied).toContain(2));
    expect(agent.status().problems).toEqual([]);
  });

  test('what is switched off is so at once, and the authority follows when it can be had', async () => {
    plane.config = captureOf(1, 'claude.ai', 'api.openai.com');
    const agent = await place.start();
    await enrolled(agent);
    await until(() => expect(agent.status().capture.hosts).toHaveLength(2));
    const permitted = () => describeCertificate(stored('intermediate.pem')).permittedHosts;
    plane.refuse = (route) => (route === 'renew' ? { status: 503, message: 'not now' } : null);
    plane.config = captureOf(2, 'claude.ai');
    plane.push({ type: 'config', config: plane.config });
    await until(() => expect(capturedHosts(agent)).toEqual(['claude.ai']));
    expect(permitted()).toEqual(['claude.ai', 'api.openai.com']);
    plane.refuse = () => null;
    await until(() => expect(permitted()).toEqual(['claude.ai']));
    await until(() => expect(agent.status().problems).toEqual([]));
  });

  test('arrives by heartbeat where the channel does not work', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.config = captureOf(7, 'api.openai.com');
    await until(() => expect(agent.status().config_version).toBe(7));
    await until(() => expect(plane.heartbeats.at(-1)?.applied_version).toBe(7));
  });

  test('the profile narrows what the service allows, now and when it changes', async () => {
    plane.config = captureOf(2, 'api.openai.com', 'claude.ai');
    const address = { api_url: plane.url(), api_key: plane.apiKey };
    place.manage({ ...address, capture_enabled: true, intercept_hosts: ['claude.ai'] });
    const agent = await place.start();
    await until(() => expect(capturedHosts(agent)).toEqual(['claude.ai']));
    place.manage({ ...address, capture_enabled: 'yes' });
    await until(() => expect(agent.status().capture.enabled).toBe(false));
    expect(agent.status().problems).toEqual([
      `managed preferences: ${place.preferences}: capture_enabled: expected a boolean, found a string`,
    ]);
    expect(names()).not.toContain('intermediate.key.pem');
    place.manage(address);
    await until(() => expect(capturedHosts(agent)).toEqual(['api.openai.com', 'claude.ai']));
    expect(agent.status().problems).toEqual([]);
  });

  test('what the profile gives back waits for the certificates, too', async () => {
    plane.config = captureOf(2, 'api.openai.com');
    const address = { api_url: plane.url(), api_key: plane.apiKey };
    place.manage({ ...address, intercept_hosts: ['api.openai.com'] });
    const agent = await place.start();
    await until(() => expect(agent.status()).toMatchObject({ config_version: 2 }));
    expect(agent.status().capture.enabled).toBe(false);
    plane.refuse = (route) => (route === 'renew' ? { status: 503, message: 'later' } : null);
    place.manage(address);
    await until(() => expect(plane.calls.renew).toBeGreaterThan(1));
    expect(agent.status().capture.enabled).toBe(false);
    plane.refuse = () => null;
    await until(() => expect(capturedHosts(agent)).toEqual(['api.openai.com']));
  });

  test('without the profile the device is no longer managed: nothing is observed or requested', async () => {
    const agent = await place.start();
    await enrolled(agent);
    rmSync(place.preferences);
    await until(() => expect(agent.status().phase).toBe('waiting for configuration'));
    await until(() => expect(plane.channels()).toBe(0));
    await until(() => expect(() => place.observe(flowOf('a'))).toThrow('nothing observes'));
  });

  test('a message that is not of the contract changes nothing', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.push({ type: 'config', config: { version: 9 } });
    await until(() =>
      expect(agent.status().problems).toEqual([`channel: unexpected message from ${plane.url()}`]),
    );
    expect(agent.status()).toMatchObject({ config_version: 1, connected: true });
  });
});

describe('reports', () => {
  const received = (): string[] => [...plane.batches.values()].flat().map(({ id }) => id);

  test('a service that is away for a while gets every report, each once', async () => {
    const agent = await place.start();
    await enrolled(agent);
    const ids = Array.from({ length: 60 }, (_, i) => `flow-${String(i).padStart(3, '0')}`);
    ids.slice(0, 20).forEach((id) => place.observe(flowOf(id)));
    await until(() => expect(received()).toHaveLength(20));

    await plane.stop();
    ids.slice(20, 40).forEach((id) => place.observe(flowOf(id)));
    await until(() =>
      expect(agent.status().problems).toContain(
        `control plane: cannot reach ${new URL(plane.url()).host}: ECONNREFUSED`,
      ),
    );
    expect(agent.status().counts.queued).toBe(20);
    ids.slice(40).forEach((id) => place.observe(flowOf(id)));

    await plane.start();
    await until(() => expect(received().sort()).toEqual(ids));
    await enrolled(agent);
    await until(() => expect(agent.status().counts).toMatchObject({ queued: 0, reported: 60 }));
    await until(() => expect(agent.status().problems).toEqual([]));
  });

  test('a batch whose answer was lost is sent again as the same batch', async () => {
    plane.losesResponse = (route) => route === 'reportFlows' && plane.calls.reportFlows < 3;
    const agent = await place.start();
    await enrolled(agent);
    place.observe(flowOf('a'));
    await until(() => expect(agent.status().counts).toMatchObject({ queued: 0, reported: 1 }));
    expect(plane.calls.reportFlows).toBeGreaterThan(2);
    expect(received()).toEqual(['a']);
  });

  test.each([400, 413])(
    'a batch refused with %i is set aside and holds nothing up',
    async (status) => {
      plane.refuse = (route) =>
        route === 'reportFlows' && plane.calls.reportFlows === 1
          ? { status, message: 'poison' }
          : null;
      const agent = await place.start();
      await enrolled(agent);
      place.observe(flowOf('a'));
      await until(() => expect(plane.calls.reportFlows).toBe(1));
      place.observe(flowOf('b'));
      await until(() => expect(received()).toEqual(['b']));
      const spooled = (): string[] => readdirSync(join(place.stateDir, 'spool'));
      await until(() => expect(spooled()).toHaveLength(1));
      expect(spooled()[0]).toMatch(/\.rejected$/);
      expect(agent.status().counts).toMatchObject({ queued: 0, dropped: 1 });
      await until(() =>
        expect(plane.heartbeats.flatMap(({ not_observed = [] }) => not_observed)).toEqual([
          { reason: 'dropped', started_at: expect.any(Number), ended_at: expect.any(Number) },
        ]),
      );
      expect(place.lines.filter((line) => line.includes('refused with'))).toHaveLength(1);
    },
  );

  const poisons: [number, (ids: string[]) => boolean][] = [
    [400, (ids) => ids.includes('e')],
    [500, (ids) => ids.includes('e')],
    [500, (ids) => ids.includes('a') || ids.includes('h')],
  ];
  test.each(poisons)(
    'of a batch that is answered with %i only the reports at fault are lost, and counted',
    async (status, isPoison) => {
      const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      plane.refuse = (route, _, text) => {
        const ids = [...text.matchAll(/"id":"(\w)"/g)].map(([, id]) => id ?? '');
        return route === 'reportFlows' && isPoison(ids) ? { status, message: 'poison' } : null;
      };
      const agent = await place.start();
      await enrolled(agent);
      all.forEach((id) => place.observe(flowOf(id)));
      await until(() => expect(agent.status().counts.queued).toBe(0));
      place.observe(flowOf('z'));
      const taken = [...all.filter((id) => !isPoison([id])), 'z'];
      await until(() => expect(received()).toEqual(taken));
      expect(agent.status().counts.dropped).toBe(9 - taken.length);
      expect(place.lines.filter((line) => line.includes(`refused with ${status}`))).toHaveLength(
        9 - taken.length,
      );
    },
  );

  test('a service that is out of order altogether costs no report', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.refuse = () => ({ status: 500, message: 'no database' });
    ['a', 'b'].forEach((id) => place.observe(flowOf(id)));
    await until(() => expect(plane.calls.reportFlows).toBeGreaterThan(12));
    plane.refuse = () => null;
    await until(() => expect(received()).toEqual(['a', 'b']));
    expect([plane.batches.size, agent.status().counts.dropped]).toEqual([1, 0]);
  });

  test('what was not sent before a stop is sent after the next start', async () => {
    const first = await place.start();
    await enrolled(first);
    await plane.stop();
    place.observe(flowOf('a'));
    await first.stop();
    await plane.start();
    await enrolled(await place.start());
    await until(() => expect(received()).toEqual(['a']));
  });

  test('the status shows the latest flows, as plain data without secrets', async () => {
    const agent = await place.start();
    await enrolled(agent);
    const heard: number[] = [];
    const forget = agent.onStatus((status) => void heard.push(status.recent_flows.length));
    place.observe(flowOf('a'));
    place.observe(flowOf('b'));
    place.observe(flowOf('a', { ended_at: 1_800_000_000_500 }));
    await until(() => expect(heard).toContain(2));
    forget();
    const status = agent.status();
    expect(status.recent_flows.map(({ id, ended_at }) => [id, ended_at])).toEqual([
      ['a', 1_800_000_000_500],
      ['b', null],
    ]);
    expect(JSON.parse(JSON.stringify(status))).toEqual(status);
    expect(JSON.stringify(status)).not.toMatch(/PRIVATE KEY|svc_sk/);
  });
});

describe('what goes wrong is said in one line, and the state stays', () => {
  const damage: [string, string][] = [
    ['device.json', '{"device_id": 3}'],
    ['device.json', '{"device_id'],
    ['identity.pem', 'not PEM'],
    ['identity.key.pem', ''],
  ];
  test.each(damage)('a damaged %s (%j): the device enrolls again', async (name, content) => {
    const first = await place.start();
    await enrolled(first);
    await first.stop();
    const path = join(place.stateDir, name);
    writeFileSync(path, content);
    const agent = await place.start();
    await enrolled(agent);
    expect(plane.calls.enroll).toBe(2);
    expect(readFileSync(`${path}.corrupt`, 'utf8')).toBe(content);
    const said = place.lines.filter((line) => line.includes('damaged'));
    expect(said.map((line) => line.slice(21))).toEqual([
      `error state: ${path} was damaged; kept as ${path}.corrupt\n`,
    ]);
    expect(agent.status().problems).toEqual([]);
  });

  test('a second agent on the same folder', async () => {
    await place.start();
    await expect(place.start()).rejects.toThrow(
      `another agent (pid ${process.pid}) uses ${place.stateDir}`,
    );
  });

  test('a state folder that cannot be used', async () => {
    const file = join(place.dir, 'file');
    writeFileSync(file, '');
    await expect(place.start({ stateDir: join(file, 'state') })).rejects.toThrow(
      `state folder ${file}/state cannot be used: ENOTDIR`,
    );
  });

  const enrollments: [
    string,
    (issued: Parameters<TestControlPlane['alter']>[0]) => Promise<unknown>,
    string,
  ][] = [
    [
      'another device',
      async (issued) => ({ ...issued, device_id: 'dev_2' }),
      'identity certificate: for device dev_1, the answer says dev_2',
    ],
    [
      'the root as identity',
      async (issued) => ({ ...issued, identity_certificate: issued.root_certificate }),
      'identity certificate: for another key',
    ],
    [
      'a root that signed nothing of it',
      async (issued) => ({
        ...issued,
        root_certificate: (await createRoot({ name: 'Test tenant', now: Date.now() }))
          .certificatePem,
      }),
      'identity certificate: not signed by the root certificate in the answer',
    ],
    [
      'garbage',
      async (issued) => ({ ...issued, root_certificate: 'x' }),
      'expected certificates as PEM, got something else',
    ],
    [
      'no authority',
      async (issued) => ({ ...issued, intermediate_certificate: null }),
      'intermediate: missing, though capture is on for claude.ai',
    ],
    [
      'other hosts',
      async (issued) => ({ ...issued, config: captureOf(1, 'api.openai.com') }),
      'intermediate: permits claude.ai, the configuration api.openai.com',
    ],
    [
      'an authority while capture is off',
      async (issued) => ({ ...issued, config: noCapture }),
      'intermediate: permits claude.ai, the configuration no host',
    ],
    [
      'an old identity as authority',
      async (issued) => ({ ...issued, intermediate_certificate: issued.identity_certificate }),
      'intermediate: for another key',
    ],
  ];
  test.each(enrollments)('an enrollment that brings %s', async (_, alter, line) => {
    plane.config = captureOf(1, 'claude.ai');
    plane.alter = alter as TestControlPlane['alter'];
    const agent = await place.start();
    const { host } = new URL(plane.url());
    await until(() =>
      expect(agent.status().problems).toEqual([`enroll: ${host} answered ${line}`]),
    );
    expect(agent.status().phase).toBe('enrolling');
    expect(names()).not.toContain('identity.pem');
    plane.alter = (issued) => issued;
    await enrolled(agent);
    expect(agent.status().problems).toEqual([]);
  });

  test('a wrong API key, which is not in the line', async () => {
    place.manage({ api_url: plane.url(), api_key: 'svc_sk_wrong' });
    plane.refuse = (route, { headers }) =>
      route === 'enroll' && headers['x-svc-key'] !== plane.apiKey
        ? { status: 401, message: `unknown API key ${String(headers['x-svc-key'])}` }
        : null;
    const agent = await place.start();
    await until(() =>
      expect(agent.status().problems).toEqual([
        `enroll: 401 test: unknown API key [secret] at ${plane.url()}`,
      ]),
    );
    place.manage({ api_url: plane.url(), api_key: plane.apiKey });
    await enrolled(agent);
    expect(place.lines.join('')).not.toContain('svc_sk_');
  });

  test.each([
    ['is done', (observing: PromiseWithResolvers<FlowObserver>) => observing.resolve(quiet)],
    ['failed', (observing: PromiseWithResolvers<FlowObserver>) => observing.reject(new Error())],
  ])('the first scan begins when the first look at flows %s', async (_, settle) => {
    const observing = Promise.withResolvers<FlowObserver>();
    const scan = vi.fn(async () => ({ apps: [], problems: [] }));
    const agent = await place.start({ observe: () => observing.promise, scan });
    await enrolled(agent);
    const beats = plane.heartbeats.length;
    await until(() => expect(plane.heartbeats.length).toBeGreaterThan(beats + 2));
    expect(scan).not.toHaveBeenCalled();
    settle(observing);
    await until(() => expect(scan).toHaveBeenCalledOnce());
  });

  test('an observation gap is reported until a heartbeat is answered', async () => {
    const gap = {
      reason: 'not_running',
      started_at: 1_000_000_000_000,
      ended_at: 1_000_000_042_000,
    };
    const reportedGaps = () => plane.heartbeats.flatMap(({ not_observed = [] }) => not_observed);
    plane.refuse = (route) => (route === 'heartbeat' ? { status: 503, message: 'later' } : null);
    const first = await place.start({
      observe: async ({ onGap }) => {
        onGap?.(gap.started_at, gap.ended_at);
        return quiet;
      },
    });
    await until(() => expect(stored('device.json')).toContain(String(gap.started_at)));
    await until(() => expect(plane.calls.heartbeat).toBeGreaterThan(2));
    await first.stop();
    expect(reportedGaps()).toEqual([]);
    plane.refuse = () => null;
    await place.start();
    await until(() => expect(reportedGaps()).toEqual([gap]));
    const beats = plane.heartbeats.length;
    await until(() => expect(plane.heartbeats.length).toBeGreaterThan(beats + 2));
    expect(reportedGaps()).toEqual([gap]);
    expect(stored('device.json')).not.toContain(String(gap.started_at));
  });

  test('a heartbeat does not report the problem that it ends', async () => {
    const agent = await place.start();
    await enrolled(agent);
    plane.refuse = (route) => (route === 'heartbeat' ? { status: 503, message: 'later' } : null);
    await until(() =>
      expect(agent.status().problems).toEqual([`heartbeat: 503 test: later at ${plane.url()}`]),
    );
    const beats = plane.heartbeats.length;
    plane.refuse = () => null;
    await until(() => expect(plane.heartbeats.length).toBeGreaterThan(beats));
    expect(plane.heartbeats[beats]?.problems).toEqual([]);
  });

  test('a control plane whose certificate is not trusted', async () => {
    const stranger = await startTestControlPlane();
    place.trust(stranger.root.certificatePem);
    const agent = await place.start();
    const { host } = new URL(plane.url());
    await until(() =>
      expect(agent.status().problems).toEqual([
        `control plane: certificate of ${host} refused: self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN)`,
      ]),
    );
    expect(plane.calls.enroll).toBe(0);
    await stranger.stop();
  });

  test('a control plane with a certificate for another name', async () => {
    await plane.stop();
    plane = await startTestControlPlane('control.example');
    place.trust(plane.root.certificatePem);
    place.manage({ api_url: plane.url(), api_key: plane.apiKey });
    const agent = await place.start();
    await until(() =>
      expect(agent.status().problems.join()).toMatch(
        /refused: .*127\.0\.0\.1.*ERR_TLS_CERT_ALTNAME_INVALID/,
      ),
    );
  });

  test('roots that cannot be read', async () => {
    const missing = join(place.dir, 'missing.pem');
    const agent = await place.start({ trustedRootsFile: missing });
    await until(() =>
      expect(agent.status().problems).toEqual([
        `trusted roots: ${missing}: cannot be read: ENOENT`,
      ]),
    );
    writeFileSync(missing, plane.root.certificatePem);
    await enrolled(agent);
    expect(agent.status().problems).toEqual([]);
  });

  test('the same problem is logged once, however often it is met, and so is its end', async () => {
    await plane.stop();
    const agent = await place.start();
    await until(() => expect(agent.status().problems).toHaveLength(1));
    await plane.start();
    await enrolled(agent);
    const said = place.lines.filter((line) => line.includes('control plane:'));
    expect(said.map((line) => line.slice(21))).toEqual([
      `error control plane: cannot reach ${new URL(plane.url()).host}: ECONNREFUSED\n`,
      'info control plane: works again\n',
    ]);
  });
});

test('an unmanaged computer creates nothing but its folder', async () => {
  await using bare = createTestComputer();
  const agent = await bare.start();
  expect(agent.status()).toMatchObject({ phase: 'waiting for configuration', api_host: null });
  expect(existsSync(join(bare.stateDir, 'identity.key.pem'))).toBe(false);
  await agent.stop();
  expect(readdirSync(bare.stateDir)).toEqual(['captures', 'spool', 'tool-calls']);
});
