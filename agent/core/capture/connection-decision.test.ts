import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { hostCatalog, isRefusedHost } from '#domain/hosts/host-catalog.ts';
import {
  type ClientProcess,
  decideConnection,
  type Decision,
  decideUnnamed,
  dependsOnProcess,
  hostsToDivert,
  unnamedDependsOnProcess,
} from './connection-decision.ts';

const on: DeviceConfig = {
  version: 1,
  capture_enabled: true,
  intercept_hosts: ['api.openai.com', 'acme.openai.azure.com'],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off',
  tool_checks: 'off',
};
const curl = { process: 'curl', path: '/usr/bin/curl' };
const unknown = { process: null, path: null };
const actionOf = (
  change: Partial<DeviceConfig>,
  name: string | null,
  client: { process: string | null; path: string | null } = curl,
) => decideConnection({ ...on, ...change }, name, client).action;

describe('only these connections are decrypted', () => {
  test.each([
    ['a captured host', {}, 'api.openai.com', 'decrypt'],
    ['whatever the case of its name', {}, 'API.OpenAI.com', 'decrypt'],
    ['a host of a pattern of the catalog', {}, 'acme.openai.azure.com', 'decrypt'],
    ['not the host of another company', {}, 'other.openai.azure.com', 'pass'],
    ['not a host below it', {}, 'eu.api.openai.com', 'pass'],
    ['not a host of the catalog that is off', {}, 'api.anthropic.com', 'pass'],
    ['not without a name', {}, null, 'pass'],
    ['not while capture is off', { capture_enabled: false }, 'api.openai.com', 'pass'],
    ['not a host outside the catalog', { intercept_hosts: ['example.com'] }, 'example.com', 'pass'],
    ['not a mail host', { intercept_hosts: ['mail.google.com'] }, 'mail.google.com', 'pass'],
  ] as const)('%s', (_, change, name, action) =>
    expect(actionOf(change as Partial<DeviceConfig>, name)).toBe(action),
  );

  test('hosts outside the catalog and banking, health and mail hosts are never decrypted', () => {
    const names = fc.oneof(
      fc.constantFrom(...hostCatalog.hosts.map(({ host }) => host.replace('*', 'acme'))),
      fc.constantFrom('chase.com', 'mail.google.com', 'www.bankofamerica.com', 'example.org'),
      fc.domain(),
    );
    fc.assert(
      fc.property(names, fc.boolean(), (name, alsoBlocked) => {
        const config = { ...on, intercept_hosts: [name], blocked_hosts: alsoBlocked ? [name] : [] };
        if (decideConnection(config, name, curl).action !== 'decrypt') return;
        expect(isRefusedHost(name)).toBe(false);
        expect(alsoBlocked).toBe(false);
      }),
    );
  });
});

describe('configured processes', () => {
  test.each([
    ['by name', ['curl'], curl, 'decrypt'],
    ['by path', ['/usr/bin/curl'], curl, 'decrypt'],
    ['by file', ['claude'], { process: 'node', path: '/opt/bin/claude' }, 'decrypt'],
    ['not another', ['claude'], curl, 'pass'],
    ['not one that is not known', ['curl'], unknown, 'pass'],
  ] as const)('a process listed for capture: %s', (_, intercept_processes, client, action) =>
    expect(
      actionOf({ intercept_processes: [...intercept_processes] }, 'api.openai.com', client),
    ).toBe(action),
  );

  test.each([
    ['an AI host that is not captured', 'api.anthropic.com', curl, 'block'],
    ['a captured host', 'api.openai.com', curl, 'block'],
    ['another host', 'example.com', curl, 'pass'],
    ['an AI host, for a process that is not known', 'api.anthropic.com', unknown, 'pass'],
  ] as const)('a blocked process and %s', (_, name, client, action) =>
    expect(actionOf({ blocked_processes: ['curl'] }, name, client)).toBe(action),
  );

  test.each([
    ['blocked_processes', 'aider', 'block'],
    ['intercept_processes', 'aider', 'decrypt'],
  ] as const)(
    'a process that runs a script matches the name of its app in %s',
    (list, name, action) => {
      const script = '/home/ada/.local/share/uv/tools/aider-chat/bin/aider';
      const python = { process: 'python3', path: '/usr/bin/python3.12', script };
      expect(decideConnection({ ...on, [list]: [name] }, 'api.openai.com', python).action).toBe(
        action,
      );
    },
  );
});

describe('the process is only waited for if the decision depends on it', () => {
  const blocking = { blocked_processes: ['curl'] };
  const capturing = { intercept_processes: ['curl'] };

  test.each([
    ['without configured processes', {}, 'api.openai.com', false],
    ['blocked processes and an AI host', blocking, 'api.anthropic.com', true],
    ['blocked processes and a host of a pattern', blocking, 'Acme.OpenAI.Azure.com.', true],
    ['blocked processes and another host', blocking, 'example.com', false],
    ['blocked processes and a mail host', blocking, 'mail.google.com', false],
    [
      'blocked processes and a blocked host',
      { ...blocking, blocked_hosts: ['api.openai.com'] },
      'api.openai.com',
      false,
    ],
    ['captured processes and a captured host', capturing, 'api.openai.com', true],
    ['captured processes and a host that is off', capturing, 'api.anthropic.com', false],
    [
      'captured processes while capture is off',
      { ...capturing, capture_enabled: false },
      'api.openai.com',
      false,
    ],
  ] as const)('%s', (_, change, name, isNeeded) =>
    expect(dependsOnProcess({ ...on, ...change } as DeviceConfig, name)).toBe(isNeeded),
  );

  test.each([
    ['captured processes only', capturing, ['api.openai.com'], false],
    ['blocked processes and no known host', blocking, [], false],
    ['blocked processes and AI hosts', blocking, ['api.openai.com', 'api.anthropic.com'], true],
    ['blocked processes and another host', blocking, ['api.openai.com', 'example.com'], false],
    [
      'blocked processes and an AI host beside a blocked host',
      { ...blocking, blocked_hosts: ['example.com'] },
      ['example.com', 'api.openai.com'],
      true,
    ],
    [
      'blocked processes and blocked hosts only',
      { ...blocking, blocked_hosts: ['example.com'] },
      ['example.com'],
      false,
    ],
  ] as const)('for a connection without a server name: %s', (_, change, hosts, isNeeded) =>
    expect(unnamedDependsOnProcess({ ...on, ...change } as DeviceConfig, hosts)).toBe(isNeeded),
  );

  test('otherwise all processes get the same decision', () => {
    const names = ['api.openai.com', 'api.anthropic.com', 'example.com', 'mail.google.com'];
    const hosts = fc.subarray(names);
    const processes = fc.subarray(['curl', 'claude']);
    const configs = fc.record({
      capture_enabled: fc.boolean(),
      intercept_hosts: hosts,
      intercept_processes: processes,
      blocked_hosts: hosts,
      blocked_processes: processes,
    });
    const claude = { process: 'claude', path: null };
    const isVaried = (decide: (client: ClientProcess) => Decision): boolean =>
      new Set([curl, claude, unknown].map((client) => JSON.stringify(decide(client)))).size > 1;
    fc.assert(
      fc.property(configs, hosts, (change, addressHosts) => {
        const config = { ...on, ...change };
        const varied = names.filter((name) =>
          isVaried((client) => decideConnection(config, name, client)),
        );
        expect(varied.filter((name) => !dependsOnProcess(config, name))).toEqual([]);
        const isUnnamedVaried = isVaried((client) => decideUnnamed(config, addressHosts, client));
        expect(isUnnamedVaried && !unnamedDependsOnProcess(config, addressHosts)).toBe(false);
      }),
    );
  });
});

test('any host can be blocked, and blocking takes precedence over capture', () => {
  const blocked_hosts = ['example.com', 'api.openai.com'];
  expect(actionOf({ blocked_hosts }, 'example.com')).toBe('block');
  expect(actionOf({ blocked_hosts }, 'api.openai.com')).toBe('block');
});

test('connections to hosts that need a decision are diverted', () => {
  const catalog = ['api.anthropic.com', 'api.openai.com'];
  expect(hostsToDivert(on, catalog)).toEqual(['acme.openai.azure.com', 'api.openai.com']);
  expect(hostsToDivert({ ...on, capture_enabled: false }, catalog)).toEqual([]);
  expect(
    hostsToDivert({ ...on, capture_enabled: false, blocked_hosts: ['Example.com'] }, catalog),
  ).toEqual(['example.com']);
  expect(
    hostsToDivert({ ...on, intercept_hosts: [], blocked_processes: ['curl'] }, catalog),
  ).toEqual(catalog);
});
