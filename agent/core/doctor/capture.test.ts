import { describe, expect, test } from 'vitest';
import type { AgentReport } from './agent-report.ts';
import { type CapturedHosts, type CaptureFacts, checkCapture } from './capture.ts';
import { checkConfiguration } from './configuration.ts';
import { checkEnvironment, type EnvironmentFacts } from './environment.ts';
import { checkTrust, type TrustFacts } from './trust.ts';

const report: AgentReport = {
  pid: 7,
  version: '1.0',
  started_at: 0,
  managed_preferences: '/m.plist',
  phase: 'enrolled',
  device_id: 'dev_1',
  connected_since: 0,
  applied: 2,
  wanted: 2,
  capture: { enabled: true, hosts: ['api.openai.com'], processes: [] },
  doors: ['transparent', 'explicit'],
  proxy_port: 9877,
  system_trust: true,
  refusals: [],
  queued: 0,
  problems: [],
};
const saying = (...problems: string[]): AgentReport => ({ ...report, problems });

describe('capture that is on', () => {
  const facts: CaptureFacts = {
    os: 'linux',
    report,
    storedHosts: 'private',
    managedProblems: false,
    nft: { installed: true, kernel: '6.1.0', kernelIsNewEnough: true },
    missingRights: [],
    proxyPort: 9877,
    portHolder: null,
    isSilent: false,
  };
  const problems = (change: Partial<CaptureFacts>) =>
    checkCapture({ ...facts, ...change }).filter(({ state }) => state === 'problem');

  test('has no problem if all requirements are met', () => {
    expect(problems({})).toEqual([]);
    // Another check names programs that refuse the certificate.
    const refused = "capture: curl does not accept this device's certificate for a.test: passed";
    expect(problems({ report: saying(refused) })).toEqual([]);
    expect(problems({ os: 'macos', nft: null, missingRights: null })).toEqual([]);
  });

  test.each<[string, Partial<CaptureFacts>, RegExp, RegExp]>([
    [
      'without nft',
      { nft: { installed: false, kernel: '6.1', kernelIsNewEnough: true } },
      /nft is not installed\.$/,
      /package nftables/,
    ],
    [
      'on an old kernel',
      { nft: { installed: true, kernel: '5.4.0', kernelIsNewEnough: false } },
      /Linux 5\.4\.0 is too old/,
      /5\.12/,
    ],
    [
      'with too many connections to the proxy',
      {
        report: saying(
          'capture (explicit): more than 9 connections to the proxy: others are closed',
        ),
      },
      /^There are more than 9 connections/,
      /opens so many/,
    ],
    [
      'without rights',
      { missingRights: ['CAP_NET_ADMIN'] },
      /lacks CAP_NET_ADMIN\.$/,
      /service of root/,
    ],
    [
      'without its group',
      {
        report: saying('capture (transparent): cannot join the agent group (CAP_SETGID)'),
      },
      /cannot join the agent group/,
      /CAP_SETGID/,
    ],
    [
      'behind a firewall that drops redirected connections',
      {
        report: saying(
          'capture (transparent): IPv6 not redirected: a firewall on this computer drops redirected connections',
        ),
      },
      /IPv6 not redirected: a firewall/,
      /^Let the firewall accept .* "Firewalls" in docs\/capture\.md/,
    ],
    [
      'with rules that nft refuses',
      { report: saying('capture (transparent): nft: Operation not permitted') },
      /redirected to the agent: nft: Operation not permitted\.$/,
      /SELinux/,
    ],
    [
      'with the port taken',
      { portHolder: 'mitmdump (process 12)' },
      /port 9877: mitmdump \(process 12\) uses it\.$/,
      /AGENT_PROXY_PORT/,
    ],
    [
      'with a socket that cannot be made',
      { os: 'macos', report: saying('capture (handed-over): listen EACCES') },
      /cannot hand connections over: listen EACCES\.$/,
      /Restart the agent/,
    ],
    [
      'with hosts that are refused',
      { report: saying('guard: bank.test is not in the catalog') },
      /does not capture all hosts that Guard names/,
      /Guard layer/,
    ],
    [
      'with exchanges that are lost',
      { report: saying('capture spool: a report could not be stored: ENOSPC') },
      /^Not every exchange was captured: a report could not be stored: ENOSPC\.$/,
      /support/,
    ],
  ])('%s', (_, change, seen, advice) => {
    const [first] = problems(change);
    expect(first?.seen).toMatch(seen);
    expect(first?.advice?.what).toMatch(advice);
  });
});

test('the port of the proxy is not checked while an agent that may hold it does not answer', () => {
  const explicit = checkCapture({
    os: 'linux',
    report: null,
    storedHosts: ['api.openai.com'],
    managedProblems: false,
    nft: { installed: true, kernel: '6.1.0', kernelIsNewEnough: true },
    missingRights: null,
    proxyPort: 9877,
    portHolder: 'another program',
    isSilent: true,
  }).find(({ id }) => id === 'door-explicit');
  expect(explicit).toMatchObject({ state: 'not checked', seen: expect.stringMatching(/answers/) });
});

describe('capture that another user cannot see', () => {
  const facts: CaptureFacts = {
    os: 'linux',
    report: null,
    storedHosts: 'private',
    managedProblems: false,
    nft: { installed: true, kernel: '6.1.0', kernelIsNewEnough: true },
    missingRights: null,
    proxyPort: 9877,
    portHolder: 'another program',
    isSilent: false,
  };

  test.each(['linux', 'macos'])('is not checked: %s', (os) => {
    const checks = checkCapture({ ...facts, os });
    expect(checks.map(({ state }) => state)).toEqual(checks.map(() => 'not checked'));
    expect(checks[0]?.advice?.what).toMatch(/sudo/);
  });

  test('is known to be off if the stored configuration captures no host', () => {
    const [hosts] = checkCapture({ ...facts, storedHosts: [] });
    expect(hosts?.seen).toBe('Capture is off on this computer, as configured in Guard.');
  });
});

describe('capture on a computer without a readable configuration', () => {
  const facts = {
    managedProblems: false,
    nft: null,
    missingRights: null,
    proxyPort: 9877,
    portHolder: null,
    isSilent: false,
  };
  const notApplied = { ...report, applied: null, wanted: null, doors: [] };
  const waiting = { ...notApplied, capture: { enabled: false, hosts: [], processes: [] } };
  const none = /^Whether capture is on is not known, because .* has no configuration yet\.$/;

  test.each<[AgentReport | null, CapturedHosts, RegExp]>([
    [null, 'none', none],
    [waiting, 'none', none],
    [null, 'damaged', /: device\.json is damaged\.$/],
  ])('is not checked (%#)', (report, storedHosts, seen) => {
    for (const os of ['linux', 'macos']) {
      const [hosts, redirection] = checkCapture({ ...facts, os, report, storedHosts });
      expect([hosts?.state, redirection?.state]).toEqual(['not checked', 'not checked']);
      expect(hosts?.seen).toMatch(seen);
    }
  });

  test('is off if the managed preferences are wrong', () => {
    const wrong = { report: null, storedHosts: 'none', managedProblems: true } as const;
    const [hosts] = checkCapture({ ...facts, os: 'linux', ...wrong });
    expect(hosts?.seen).toMatch(/^Capture is off because of the managed preferences/);
  });
});

describe('the configuration', () => {
  const withReport = (change: Partial<AgentReport>) =>
    checkConfiguration({ report: { ...report, ...change }, stored: null, isEnrolled: true });

  test('explains why another version than the wanted one is applied', () => {
    const [version] = withReport({ wanted: 5, problems: ['renewal: 500 internal_error: oops'] });
    expect(version?.seen).toBe(
      'Version 2 of the configuration is in force, and the control plane wants 5: 500 internal_error: oops.',
    );
  });

  test('arrives late without a channel, and not at all without a connection', () => {
    const closed = { connected_since: null };
    const [, channel] = withReport({
      ...closed,
      problems: ['channel: 403: refused at https://a:443'],
    });
    expect(channel?.seen).toMatch(/^The channel .* is closed: 403: refused at https:\/\/a:443\. /);
    expect(channel?.advice?.what).toMatch(/^Let WebSockets pass/);
    const [, none] = withReport({
      ...closed,
      problems: ['control plane: cannot reach a:443: ETIMEDOUT'],
    });
    expect(none?.advice?.what).toMatch(/restart the agent/);
  });
});

describe('trust', () => {
  const root = { name: 'Tenant Root CA', fingerprint256: 'AB:CD:EF' };
  const facts: TrustFacts = {
    os: 'linux',
    captures: true,
    roots: [root],
    systemFingerprints: new Set(['AB:CD:EF']),
    report,
    environment: { NODE_USE_SYSTEM_CA: '1' },
    hasSudo: false,
    extraFile: null,
  };
  const problems = (change: Partial<TrustFacts>) =>
    checkTrust({ ...facts, ...change }).filter(({ state }) => state === 'problem');

  test('has no problem if every program trusts the roots', () => expect(problems({})).toEqual([]));

  test('is not needed on Linux while nothing is captured', () =>
    expect(problems({ captures: false, systemFingerprints: new Set(), environment: {} })).toEqual(
      [],
    ));

  test('in a file without the root matters only while something is captured', () => {
    const change = { environment: {}, extraFile: { path: '/x.pem', fingerprints: ['00'] } };
    expect(problems({ ...change, captures: false })).toEqual([]);
    expect(problems(change).map(({ id }) => id)).toEqual(['trust-node']);
  });

  test.each<[string, Partial<TrustFacts>]>([
    ['the captured hosts are unknown', { captures: null }],
    ['sudo has removed the variables', { hasSudo: true }],
  ])('of Node programs is not checked if %s', (_, change) => {
    const checks = checkTrust({ ...facts, environment: {}, ...change });
    expect(checks.find(({ id }) => id === 'trust-node')?.state).toBe('not checked');
  });

  test.each<[string, Partial<TrustFacts>, RegExp, RegExp]>([
    [
      'lacks the root on a Mac',
      { os: 'macos', captures: false, systemFingerprints: new Set() },
      /does not trust the tenant's root, "Tenant Root CA" \(SHA-256 AB:CD:EF…\)\.$/,
      /Fetch the profile/,
    ],
    [
      'lacks the root on Linux',
      { systemFingerprints: new Set(), report: { ...report, system_trust: false } },
      /programs refuse captured connections\.$/,
      /AGENT_SYSTEM_TRUST/,
    ],
    [
      'cannot be installed',
      { report: saying('system trust: /usr/sbin/update-ca-certificates failed: 1') },
      /update-ca-certificates failed: 1\.$/,
      /by hand/,
    ],
    ['is unknown to Node', { environment: {} }, /NODE_USE_SYSTEM_CA is not set/, /Log in again/],
    [
      'is refused by programs',
      { report: { ...report, refusals: [{ process: 'python3', host: 'api.openai.com' }] } },
      /python3 \(api\.openai\.com\)\.$/,
      /docs\/capture\.md/,
    ],
  ])('%s', (_, change, seen, advice) => {
    const [first] = problems(change);
    expect(first?.seen).toMatch(seen);
    expect(first?.advice?.what).toMatch(advice);
  });
});

describe('the environment on this computer', () => {
  const facts: EnvironmentFacts = {
    captures: true,
    proxies: [],
    ownProxy: '127.0.0.1:9877',
    redirections: [],
    tunnels: [],
    bridges: [],
    otherExtensions: '',
    report,
    missingRights: [],
    canListSockets: true,
  };
  const problems = (change: Partial<EnvironmentFacts>) =>
    checkEnvironment({ ...facts, ...change }).filter(({ state }) => state === 'problem');

  test("has no problem with the agent's own proxy or a VPN", () => {
    expect(problems({})).toEqual([]);
    const own = { where: 'HTTPS_PROXY', address: '127.0.0.1:9877' };
    expect(problems({ proxies: [own], tunnels: ['wg0'] })).toEqual([]);
  });

  test('is not checked without a running agent, or without the captured hosts', () => {
    const proxies = [{ where: 'HTTPS_PROXY', address: 'proxy.test:3128' }];
    const checks = checkEnvironment({ ...facts, report: null, captures: null, proxies });
    const states = Object.fromEntries(checks.map(({ id, state }) => [id, state]));
    expect(states).toMatchObject({ flows: 'not checked', 'other-proxies': 'not checked' });
  });

  test('notes networks of containers, whose connections are not seen', () => {
    const noteOf = (change: Partial<EnvironmentFacts>) =>
      checkEnvironment({ ...facts, bridges: ['docker0'], ...change }).find(
        ({ id }) => id === 'containers',
      );
    expect(noteOf({})).toMatchObject({ state: 'ok', seen: expect.stringMatching(/\(docker0\)/) });
    expect(noteOf({ captures: false })).toBeUndefined();
    expect(noteOf({ bridges: [] })).toBeUndefined();
  });

  test('notes files of the user', () => {
    const report = saying('inventory: /home/ada/.mcp.json: not JSON', 'inventory: ~/x: too large');
    expect(problems({ report })).toEqual([]);
    const note = checkEnvironment({ ...facts, report }).find(({ id }) => id === 'inventory-files');
    expect(note?.seen).toMatch(
      /^Note: .* 2 files and folders: \/home\/ada\/\.mcp\.json: not JSON; ~\/x: too large\.$/,
    );
  });

  test('counts the remaining problems', () => {
    const lines = [1, 2, 3, 4, 5, 6, 7].map((n) => `upload: ${n}`);
    expect(problems({ report: saying(...lines) })[0]?.seen).toMatch(/upload: 5; and 2 more\.$/);
  });

  test.each<[string, Partial<EnvironmentFacts>, RegExp]>([
    [
      'another proxy takes what is to be captured',
      { proxies: [{ where: 'HTTPS_PROXY', address: 'proxy.test:3128' }] },
      /use the proxy proxy\.test:3128 \(HTTPS_PROXY\)/,
    ],
    [
      'the agent lacks rights',
      { missingRights: ['CAP_SYS_PTRACE'] },
      /lacks CAP_SYS_PTRACE: processes of other users/,
    ],
    [
      'the kernel refuses its socket list',
      { report: saying("flows: the kernel's socket list: EPERM") },
      /^Network flows are not observed: the kernel's socket list: EPERM\.$/,
    ],
    [
      'the agent reports something that no other check speaks of',
      { report: saying('inventory upload: 500', 'channel: closed') },
      /^The agent reports: inventory upload: 500\.$/,
    ],
  ])('%s', (_, change, seen) => {
    expect(problems(change).map((check) => check.seen)).toEqual([
      expect.stringMatching(seen) as string,
    ]);
  });
});
