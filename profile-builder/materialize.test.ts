import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { parseBinary } from 'plist';
import { readManagedConfig } from '#agent/core/managed-config.ts';
import { createRoot } from '#pki/authority.ts';
import { materializeManagedConfig, trustedRoots } from './materialize.ts';
import { buildProfile, ProfileError } from './profile.ts';

let roots: string[];
let xml: string;
beforeAll(async () => {
  const issued = ['Example root', 'Example root, next'].map((name) => createRoot({ name, now: 0 }));
  roots = (await Promise.all(issued)).map(({ certificatePem }) => `${certificatePem.trim()}\n`);
  xml = buildProfile({
    now: 0,
    apiUrl: 'https://gatehouse.example',
    apiKey: 'svc_sk_1',
    rootCertificates: roots,
    hosts: ['claude.ai'],
    processes: ['Ünal'],
    appName: 'Gatehouse',
    bundleId: 'com.gatehouse.agent',
    teamId: 'GATEHOUSE1',
  });
});

const config = {
  api_url: 'https://gatehouse.example',
  api_key: 'svc_sk_1',
  capture_enabled: true,
  intercept_hosts: ['claude.ai'],
  intercept_processes: ['Ünal'],
};

const TO_JSON =
  'import json, plistlib, sys;' +
  'print(json.dumps(plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_BINARY)))';

describe('materializeManagedConfig', () => {
  test('returns the domain and a binary plist that Python reads', { tags: ['python3'] }, () => {
    const { domain, plist } = materializeManagedConfig(xml);
    expect(domain).toBe('com.gatehouse.agent.proxymonitor');
    const read = execFileSync('python3', ['-c', TO_JSON], { input: plist, encoding: 'utf8' });
    expect(JSON.parse(read)).toEqual(config);
  });

  test('returns the format that the agent reads', () => {
    const { plist } = materializeManagedConfig(xml);
    expect(readManagedConfig(parseBinary(plist))).toEqual({ config, problems: [] });
  });

  test('rejects a profile without such a payload, or with two', () => {
    const without = xml.replaceAll('com.gatehouse.agent.proxymonitor', 'com.gatehouse.agent');
    expect(() => materializeManagedConfig(without)).toThrow(
      new ProfileError('expected one payload of type *.proxymonitor, found 0'),
    );
    const duplicated = xml.replace('com.apple.security.root', 'com.other.proxymonitor');
    expect(() => materializeManagedConfig(duplicated)).toThrow(
      new ProfileError('expected one payload of type *.proxymonitor, found 2'),
    );
  });

  test('rejects input that is not a profile, and prints nothing', () => {
    const print = vi.spyOn(console, 'error');
    const other =
      '<plist version="1.0"><dict><key>PayloadType</key><string>x</string></dict></plist>';
    for (const text of ['<plist version="1.0"><array/></plist>', other, '{}', '<plist', ''])
      expect(() => materializeManagedConfig(text)).toThrow(
        new ProfileError('expected a configuration profile as XML, found something else'),
      );
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });
});

describe('trustedRoots', () => {
  test('returns every root of the profile', () => {
    expect(trustedRoots(xml)).toBe(roots.join(''));
  });
});
