import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkInterceptHosts } from '#domain/hosts/host-catalog.ts';
import { describeDroppedHosts, narrowConfig } from './narrow-config.ts';

const [a, b, c] = ['api.anthropic.com', 'api.openai.com', 'claude.ai'] as const;

const usual = {
  api_url: 'https://gatehouse.example',
  api_key: 'svc_sk_1',
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
};
const server = {
  version: 7,
  capture_enabled: true,
  intercept_hosts: [a, b],
  intercept_processes: [],
  blocked_hosts: ['x.example'],
  blocked_processes: ['y'],
  enforce_policies: true,
  pause_minutes: 0,
  coding_agents: 'prompts' as const,
  tool_checks: 'closed' as const,
};
const off = { capture_enabled: false, intercept_hosts: [], intercept_processes: [] };

describe('narrowConfig', () => {
  test.each([
    ['the usual profile leaves the server alone', {}, {}, {}],
    [
      'named hosts leave what both sides name',
      {},
      { capture_enabled: true, intercept_hosts: ['API.openai.com', c] },
      { intercept_hosts: [b] },
    ],
    ['no common host', {}, { capture_enabled: true, intercept_hosts: [c] }, off],
    [
      'named hosts of which none is in the catalog are still a list',
      {},
      { capture_enabled: true, intercept_hosts: ['x.example'] },
      off,
    ],
    [
      'capture off beside named hosts, which takes the coding agents too',
      {},
      { intercept_hosts: [a] },
      { ...off, coding_agents: 'off' as const },
    ],
    [
      'the server is off, whatever the device says',
      { capture_enabled: false },
      { capture_enabled: true, intercept_hosts: [a] },
      off,
    ],
    [
      'hosts that are none of the catalog are dropped',
      { intercept_hosts: [b, 'mail.google.com', 'x.example', a] },
      {},
      { intercept_hosts: [a, b] },
    ],
    ['only dropped hosts', { intercept_hosts: ['mail.google.com'] }, {}, off],
    [
      'named processes under a server that names none',
      {},
      { intercept_processes: ['claude'] },
      { intercept_processes: ['claude'] },
    ],
    [
      'processes that both sides name',
      { intercept_processes: ['claude', 'codex'] },
      { intercept_processes: ['codex', 'cursor'] },
      { intercept_processes: ['codex'] },
    ],
    [
      'processes of the server when the device names none',
      { intercept_processes: ['claude'] },
      {},
      { intercept_processes: ['claude'] },
    ],
    [
      'no common process',
      { intercept_processes: ['claude'] },
      { intercept_processes: ['codex'] },
      off,
    ],
  ])('%s', (_, allowed, managed, expected) => {
    expect(narrowConfig({ ...server, ...allowed }, { ...usual, ...managed })).toEqual({
      ...server,
      ...allowed,
      ...expected,
    });
  });

  test('switches capture off when the managed configuration is invalid', () => {
    expect(narrowConfig(server, usual, ['intercept_hosts: expected …'])).toEqual({
      ...server,
      ...off,
      coding_agents: 'off',
    });
  });

  test('lists the hosts that it drops, by reason', () => {
    const problemsWith = (...intercept_hosts: string[]) =>
      describeDroppedHosts({ ...server, intercept_hosts });
    expect(problemsWith(a, b)).toEqual([]);
    expect(problemsWith(a, 'mail.google.com', 'Chase.com.', 'x.example')).toEqual([
      'the server named banking, health or mail hosts, which are never captured: ' +
        '"mail.google.com", "Chase.com."',
      'the catalog of this agent does not have: "x.example"',
    ]);
    const many = Array.from({ length: 500 }, (_, i) => `${'long'.repeat(40)}.${i}.example`);
    expect(problemsWith(...many)).toEqual([expect.stringMatching(/ and 495 more$/)]);
    expect(problemsWith(...many)[0]?.length).toBeLessThan(500);
  });

  const hosts = fc.uniqueArray(fc.constantFrom<string>(a, b, c, 'x.example', 'mail.google.com'));
  const processes = fc.uniqueArray(fc.constantFrom<string>('claude', 'codex', 'cursor'));
  const lists = {
    capture_enabled: fc.boolean(),
    intercept_hosts: hosts,
    intercept_processes: processes,
  };

  test('never widens, and changes nothing when applied again', () => {
    fc.assert(
      fc.property(fc.record(lists), fc.record(lists), (allowed, managed) => {
        const from = { ...server, ...allowed };
        const result = narrowConfig(from, { ...usual, ...managed });
        const { capture_enabled, intercept_hosts, intercept_processes, ...rest } = result;

        expect(narrowConfig(result, { ...usual, ...managed })).toEqual(result);
        expect(rest).toEqual({
          version: 7,
          blocked_hosts: ['x.example'],
          blocked_processes: ['y'],
          enforce_policies: true,
          pause_minutes: 0,
          coding_agents:
            !managed.capture_enabled && managed.intercept_hosts.length > 0 ? 'off' : 'prompts',
          tool_checks: 'closed',
        });
        expect(checkInterceptHosts(intercept_hosts).hosts).toEqual(intercept_hosts);
        expect(intercept_hosts.every((host) => from.intercept_hosts.includes(host))).toBe(true);
        expect(capture_enabled).toBe(intercept_hosts.length > 0);
        expect(capture_enabled && !from.capture_enabled).toBe(false);
        const everyProcess = !capture_enabled || from.intercept_processes.length === 0;
        expect(everyProcess || intercept_processes.length > 0).toBe(true);
        expect(
          everyProcess || intercept_processes.every((it) => from.intercept_processes.includes(it)),
        ).toBe(true);
      }),
    );
  });
});
