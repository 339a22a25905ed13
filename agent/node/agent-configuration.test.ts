import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeCertificate } from '#pki/certificate.ts';
import type { AgentRuntime } from './start-agent.ts';
import { flowOf } from './testing/flow.ts';
import { captureOf, noCapture } from './testing/control-plane.ts';
import { enrolled, setUpAgent, until } from './testing/set-up-agent.ts';

const world = setUpAgent();
const { stored, names } = world;

const capturedHosts = (agent: AgentRuntime): string[] =>
  agent.status().capture.hosts.map(({ host }) => host);

describe('configuration', () => {
  test('is acknowledged once the certificates match it, and survives a restart', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.config = captureOf(2, 'api.openai.com', 'claude.ai');
    world.plane.push({ type: 'config', config: world.plane.config });
    await until(() => expect(world.plane.applied).toContain(2));
    expect(describeCertificate(stored('intermediate.pem')).permittedHosts.sort()).toEqual([
      'api.openai.com',
      'claude.ai',
    ]);
    expect(capturedHosts(agent)).toEqual(['api.openai.com', 'claude.ai']);
    await agent.stop();
    await world.plane.stop();
    const again = await world.place.start();
    await until(() => expect(capturedHosts(again)).toEqual(['api.openai.com', 'claude.ai']));
  });

  test('names the layer of each host, not that of the whole list', async () => {
    world.plane.config = {
      ...captureOf(2, 'api.openai.com', 'claude.ai'),
      origins: { intercept_hosts: { source: 'device', set_at: null } },
      host_sources: { 'api.openai.com': 'global', 'claude.ai': 'device' },
    };
    const agent = await world.place.start();
    const layers = () =>
      agent.status().capture.hosts.map(({ host, set_by }) => [host, set_by] as const);
    await until(() =>
      expect(layers()).toEqual([
        ['api.openai.com', 'global'],
        ['claude.ai', 'device'],
      ]),
    );
    const { host_sources: _unknown, ...older } = world.plane.config;
    world.plane.config = { ...older, version: 3 };
    world.plane.push({ type: 'config', config: world.plane.config });
    await until(() => expect(agent.status().config_version).toBe(3));
    expect(layers()).toEqual([
      ['api.openai.com', null],
      ['claude.ai', null],
    ]);
  });

  test('that switches capture off removes the authority and its key, without a request', async () => {
    world.plane.config = captureOf(2, 'api.openai.com');
    const agent = await world.place.start();
    await enrolled(agent);
    expect(names()).toContain('intermediate.key.pem');
    world.plane.config = { ...noCapture, version: 3 };
    world.plane.push({ type: 'config', config: world.plane.config });
    await until(() => expect(world.plane.applied).toContain(3));
    expect(names().filter((name) => name.startsWith('intermediate'))).toEqual([]);
    expect(world.plane.calls.renew).toBe(0);
  });

  test('is not acknowledged until the certificates can be obtained', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.refuse = (route) =>
      route === 'renew' ? { status: 500, message: 'out of order' } : null;
    world.plane.config = captureOf(2, 'api.openai.com');
    world.plane.push({ type: 'config', config: world.plane.config });
    await until(() => expect(world.plane.calls.renew).toBeGreaterThan(1));
    expect(world.plane.applied).not.toContain(2);
    expect(agent.status()).toMatchObject({
      config_version: 1,
      capture: { enabled: false },
      problems: [`renewal: 500 test: out of order at ${world.plane.url()}`],
    });
    world.plane.refuse = () => null;
    await until(() => expect(world.plane.applied).toContain(2));
    expect(agent.status().problems).toEqual([]);
  });

  test('switches removed hosts off at once, and the authority follows when it can be obtained', async () => {
    world.plane.config = captureOf(1, 'claude.ai', 'api.openai.com');
    const agent = await world.place.start();
    await enrolled(agent);
    await until(() => expect(agent.status().capture.hosts).toHaveLength(2));
    const permitted = () => describeCertificate(stored('intermediate.pem')).permittedHosts;
    world.plane.refuse = (route) =>
      route === 'renew' ? { status: 503, message: 'not now' } : null;
    world.plane.config = captureOf(2, 'claude.ai');
    world.plane.push({ type: 'config', config: world.plane.config });
    await until(() => expect(capturedHosts(agent)).toEqual(['claude.ai']));
    expect(permitted()).toEqual(['claude.ai', 'api.openai.com']);
    world.plane.refuse = () => null;
    await until(() => expect(permitted()).toEqual(['claude.ai']));
    await until(() => expect(agent.status().problems).toEqual([]));
  });

  test('arrives by heartbeat if the channel does not work', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.config = captureOf(7, 'api.openai.com');
    await until(() => expect(agent.status().config_version).toBe(7));
    await until(() => expect(world.plane.heartbeats.at(-1)?.applied_version).toBe(7));
  });

  test('is narrowed by the profile, initially and when the profile changes', async () => {
    world.plane.config = captureOf(2, 'api.openai.com', 'claude.ai');
    const address = { api_url: world.plane.url(), api_key: world.plane.apiKey };
    world.place.manage({ ...address, capture_enabled: true, intercept_hosts: ['claude.ai'] });
    const agent = await world.place.start();
    await until(() => expect(capturedHosts(agent)).toEqual(['claude.ai']));
    world.place.manage({ ...address, capture_enabled: 'yes' });
    await until(() => expect(agent.status().capture.enabled).toBe(false));
    expect(agent.status().problems).toEqual([
      `managed preferences: ${world.place.preferences}: capture_enabled: expected a boolean, found a string`,
    ]);
    expect(names()).not.toContain('intermediate.key.pem');
    world.place.manage(address);
    await until(() => expect(capturedHosts(agent)).toEqual(['api.openai.com', 'claude.ai']));
    expect(agent.status().problems).toEqual([]);
  });

  test('that the profile no longer narrows waits for the certificates, too', async () => {
    world.plane.config = captureOf(2, 'api.openai.com');
    const address = { api_url: world.plane.url(), api_key: world.plane.apiKey };
    world.place.manage({ ...address, intercept_hosts: ['api.openai.com'] });
    const agent = await world.place.start();
    await until(() => expect(agent.status()).toMatchObject({ config_version: 2 }));
    expect(agent.status().capture.enabled).toBe(false);
    world.plane.refuse = (route) => (route === 'renew' ? { status: 503, message: 'later' } : null);
    world.place.manage(address);
    await until(() => expect(world.plane.calls.renew).toBeGreaterThan(1));
    expect(agent.status().capture.enabled).toBe(false);
    world.plane.refuse = () => null;
    await until(() => expect(capturedHosts(agent)).toEqual(['api.openai.com']));
  });

  test('without the profile, the device is no longer managed, and nothing is observed or requested', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    rmSync(world.place.preferences);
    await until(() => expect(agent.status().phase).toBe('waiting for configuration'));
    await until(() => expect(world.plane.channels()).toBe(0));
    await until(() => expect(() => world.place.observe(flowOf('a'))).toThrow('nothing observes'));
  });

  test('is not changed by a message that violates the contract', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.push({ type: 'config', config: { version: 9 } });
    await until(() =>
      expect(agent.status().problems).toEqual([
        `channel: unexpected message from ${world.plane.url()}`,
      ]),
    );
    expect(agent.status()).toMatchObject({ config_version: 1, connected: true });
  });
});
