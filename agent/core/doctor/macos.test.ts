import { describe, expect, test } from 'vitest';
import { configurationsIn, parseExtensionList } from './extension-list.ts';
import type { ToolEvent } from '../network-extensions/tool-output.ts';
import type { AgentReport } from './agent-report.ts';
import { checkActivation, checkExtensions, otherExtensions } from './extensions.ts';
import { parseProxySettings } from './environment.ts';

const list = [
  '4 extension(s)',
  '--- com.apple.system_extension.network_extension (Go to System Settings to modify these)',
  'enabled\tactive\tteamID\tbundleID (version)\tname\t[state]',
  '*\t*\tTEAM000001\tcom.example.agent.proxymonitor (1.0/7)\tproxymonitor\t[activated enabled]',
  '\t\tTEAM000001\tcom.example.agent.proxymonitor (0.9/6)\tproxymonitor\t[terminated waiting to uninstall on reboot]',
  '\t*\tTEAM000001\tcom.example.agent.flowmonitor (1.0/7)\tflowmonitor\t[activated waiting for user]',
  '*\t*\tOTHER00001\tcom.other.vpn (5.1/5.1)\tOther VPN\t[activated enabled]',
  '--- com.apple.system_extension.endpoint_security',
  '*\t*\tOTHER00001\tcom.other.sensor (1/1)\tSensor\t[activated enabled]',
].join('\n');
const wanted = ['com.example.agent.proxymonitor', 'com.example.agent.flowmonitor'];

describe('the list of system extensions', () => {
  const extensions = parseExtensionList(list);

  test('contains network extensions, and no extensions of other kinds', () => {
    expect(extensions.map(({ id }) => id)).toEqual([
      wanted[0],
      wanted[0],
      wanted[1],
      'com.other.vpn',
    ]);
    expect(otherExtensions(extensions, wanted)).toBe('com.other.vpn');
  });

  test.each([
    ['activated enabled', 'ok', undefined],
    ['activated waiting for user', 'problem', 'IT'],
    ['activated disabled', 'problem', 'user'],
    ['terminated waiting to uninstall on reboot', 'problem', 'user'],
    ['realizing', 'problem', 'IT'],
  ])('an extension that is "%s" is %s', (state, expected, who) => {
    const [check] = checkExtensions({
      extensions: [{ id: 'com.example.agent.proxymonitor', team: 'T', state }],
      expected: ['com.example.agent.proxymonitor'],
      configurations: null,
      hasExtensions: true,
      captures: true,
    });
    expect([check?.state, check?.advice?.who]).toEqual([expected, who]);
  });

  test('the running extension counts rather than the one it replaced, and a missing one is a problem', () => {
    const all = {
      configurations: null,
      extensions,
      expected: [...wanted, 'com.example.agent.third'],
      hasExtensions: true,
      captures: true,
    };
    expect(checkExtensions(all).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'extensions:proxymonitor ok',
      'extensions:flowmonitor problem',
      'extensions:third problem',
    ]);
    expect(checkExtensions({ ...all, hasExtensions: false })[0]?.state).toBe('not checked');
    expect(checkExtensions({ ...all, extensions: null })[0]?.state).toBe('not checked');
  });
});

const configured = [
  { event: 'status', extension: 'a.b', state: 'active', versions: [] },
  { event: 'status', configuration: 'filter', present: true, enabled: true },
  { event: 'status', configuration: 'proxy', present: true, enabled: false, running: false },
  { event: 'done', ok: true },
] as const satisfies ToolEvent[];

test.each([
  [true, 'problem'],
  [null, 'problem'],
  [false, 'not checked'],
])('a proxy that is off, while capture is on (%s), is "%s"', (captures, expected) => {
  const configurations = configurationsIn(configured);
  const facts = { extensions: [], expected: [], hasExtensions: true };
  const checks = checkExtensions({ ...facts, configurations, captures });
  expect(checks.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'extensions:filter ok',
    `extensions:proxy ${expected}`,
  ]);
});

test("the agent's problems with the extensions are one check, and no other", () => {
  const report = {
    problems: ['network extensions: a.b waits', 'network extensions: filter: denied (10)'],
  } as AgentReport;
  const [check, ...more] = checkActivation(report);
  expect(check).toMatchObject({ id: 'extensions:activation', state: 'problem' });
  expect(check?.seen).toMatch(/: a\.b waits; filter: denied \(10\)\.$/);
  expect([more, checkActivation(null)]).toEqual([[], []]);
});

test('the proxies in the settings of macOS are parsed without passwords', () => {
  const text = `<dictionary> {
  HTTPEnable : 0
  HTTPSEnable : 1
  HTTPSPort : 3128
  HTTPSProxy : proxy.example.com
  ProxyAutoConfigEnable : 1
  ProxyAutoConfigURLString : http://ada:secret@wpad.example.com/proxy.pac
}`;
  expect(parseProxySettings(text).map(({ address }) => address)).toEqual([
    'proxy.example.com:3128',
    'as wpad.example.com says',
  ]);
  expect(parseProxySettings('<dictionary> {\n  HTTPSEnable : 0\n}')).toEqual([]);
});
