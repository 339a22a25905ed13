import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import type { FlowObserver } from './flows/observer.ts';
import {
  captureOf,
  noCapture,
  startTestControlPlane,
  type TestControlPlane,
} from './testing/control-plane.ts';
import { enrolled, setUpAgent, until } from './testing/set-up-agent.ts';

const quiet: FlowObserver = { stop: async () => undefined, openFlows: () => [] };
const world = setUpAgent();
const { stored, names } = world;

describe('a failure is reported in one line, and the state is kept', () => {
  const damage: [string, string][] = [
    ['device.json', '{"device_id": 3}'],
    ['device.json', '{"device_id'],
    ['identity.pem', 'not PEM'],
    ['identity.key.pem', ''],
  ];
  test.each(damage)(
    'a damaged %s (%j), after which the device enrolls again',
    async (name, content) => {
      const first = await world.place.start();
      await enrolled(first);
      await first.stop();
      const path = join(world.place.stateDir, name);
      writeFileSync(path, content);
      const agent = await world.place.start();
      await enrolled(agent);
      expect(world.plane.calls.enroll).toBe(2);
      expect(readFileSync(`${path}.corrupt`, 'utf8')).toBe(content);
      const problems = world.place.lines.filter((line) => line.includes('damaged'));
      expect(problems.map((line) => line.slice(21))).toEqual([
        `error state: ${path} was damaged; kept as ${path}.corrupt\n`,
      ]);
      expect(agent.status().problems).toEqual([]);
    },
  );

  test('a second agent on the same folder', async () => {
    await world.place.start();
    await expect(world.place.start()).rejects.toThrow(
      `another agent (pid ${process.pid}) uses ${world.place.stateDir}`,
    );
  });

  test('a state folder that cannot be used', async () => {
    const file = join(world.place.dir, 'file');
    writeFileSync(file, '');
    await expect(world.place.start({ stateDir: join(file, 'state') })).rejects.toThrow(
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
  test.each(enrollments)('an enrollment with %s', async (_, alter, line) => {
    world.plane.config = captureOf(1, 'claude.ai');
    world.plane.alter = alter as TestControlPlane['alter'];
    const agent = await world.place.start();
    const { host } = new URL(world.plane.url());
    await until(() =>
      expect(agent.status().problems).toEqual([`enroll: ${host} answered ${line}`]),
    );
    expect(agent.status().phase).toBe('enrolling');
    expect(names()).not.toContain('identity.pem');
    world.plane.alter = (issued) => issued;
    await enrolled(agent);
    expect(agent.status().problems).toEqual([]);
  });

  test('a wrong API key, which is not in the line', async () => {
    world.place.manage({ api_url: world.plane.url(), api_key: 'svc_sk_wrong' });
    world.plane.refuse = (route, { headers }) =>
      route === 'enroll' && headers['x-svc-key'] !== world.plane.apiKey
        ? { status: 401, message: `unknown API key ${String(headers['x-svc-key'])}` }
        : null;
    const agent = await world.place.start();
    await until(() =>
      expect(agent.status().problems).toEqual([
        `enroll: 401 test: unknown API key [secret] at ${world.plane.url()}`,
      ]),
    );
    world.place.manage({ api_url: world.plane.url(), api_key: world.plane.apiKey });
    await enrolled(agent);
    expect(world.place.lines.join('')).not.toContain('svc_sk_');
  });

  test.each([
    ['is done', (observing: PromiseWithResolvers<FlowObserver>) => observing.resolve(quiet)],
    ['failed', (observing: PromiseWithResolvers<FlowObserver>) => observing.reject(new Error())],
  ])('the first scan begins when the first poll of flows %s', async (_, settle) => {
    const observing = Promise.withResolvers<FlowObserver>();
    const scan = vi.fn(async () => ({ apps: [], problems: [] }));
    const agent = await world.place.start({ observe: () => observing.promise, scan });
    await enrolled(agent);
    const beats = world.plane.heartbeats.length;
    await until(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats + 2));
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
    const reportedGaps = () =>
      world.plane.heartbeats.flatMap(({ not_observed = [] }) => not_observed);
    world.plane.refuse = (route) =>
      route === 'heartbeat' ? { status: 503, message: 'later' } : null;
    const first = await world.place.start({
      observe: async ({ onGap }) => {
        onGap?.(gap.started_at, gap.ended_at);
        return quiet;
      },
    });
    await until(() => expect(stored('device.json')).toContain(String(gap.started_at)));
    await until(() => expect(world.plane.calls.heartbeat).toBeGreaterThan(2));
    await first.stop();
    expect(reportedGaps()).toEqual([]);
    world.plane.refuse = () => null;
    await world.place.start();
    await until(() => expect(reportedGaps()).toEqual([gap]));
    const beats = world.plane.heartbeats.length;
    await until(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats + 2));
    expect(reportedGaps()).toEqual([gap]);
    expect(stored('device.json')).not.toContain(String(gap.started_at));
  });

  test('a heartbeat does not report the problem that it resolves', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.refuse = (route) =>
      route === 'heartbeat' ? { status: 503, message: 'later' } : null;
    await until(() =>
      expect(agent.status().problems).toEqual([
        `heartbeat: 503 test: later at ${world.plane.url()}`,
      ]),
    );
    const beats = world.plane.heartbeats.length;
    world.plane.refuse = () => null;
    await until(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats));
    expect(world.plane.heartbeats[beats]?.problems).toEqual([]);
  });

  test('a control plane whose certificate is not trusted', async () => {
    const stranger = await startTestControlPlane();
    world.place.trust(stranger.root.certificatePem);
    const agent = await world.place.start();
    const { host } = new URL(world.plane.url());
    await until(() =>
      expect(agent.status().problems).toEqual([
        `control plane: certificate of ${host} refused: self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN)`,
      ]),
    );
    expect(world.plane.calls.enroll).toBe(0);
    await stranger.stop();
  });

  test('a control plane with a certificate for another name', async () => {
    await world.plane.stop();
    world.plane = await startTestControlPlane('control.example');
    world.place.trust(world.plane.root.certificatePem);
    world.place.manage({ api_url: world.plane.url(), api_key: world.plane.apiKey });
    const agent = await world.place.start();
    await until(() =>
      expect(agent.status().problems.join()).toMatch(
        /refused: .*127\.0\.0\.1.*ERR_TLS_CERT_ALTNAME_INVALID/,
      ),
    );
  });

  test('roots that cannot be read', async () => {
    const missing = join(world.place.dir, 'missing.pem');
    const agent = await world.place.start({ trustedRootsFile: missing });
    await until(() =>
      expect(agent.status().problems).toEqual([
        `trusted roots: ${missing}: cannot be read: ENOENT`,
      ]),
    );
    writeFileSync(missing, world.plane.root.certificatePem);
    await enrolled(agent);
    expect(agent.status().problems).toEqual([]);
  });

  test('the same problem is logged once, however often it occurs, and so is its end', async () => {
    await world.plane.stop();
    const agent = await world.place.start();
    await until(() => expect(agent.status().problems).toHaveLength(1));
    await world.plane.start();
    await enrolled(agent);
    const problems = world.place.lines.filter((line) => line.includes('control plane:'));
    expect(problems.map((line) => line.slice(21))).toEqual([
      `error control plane: cannot reach ${new URL(world.plane.url()).host}: ECONNREFUSED\n`,
      'info control plane: works again\n',
    ]);
  });
});
