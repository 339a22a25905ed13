import { parse } from 'plist';
import { describe, expect, test } from 'vitest';
import { entitlementsOf } from './entitlements.ts';
import { codesignArguments } from './sign-parts.ts';

const ids = { teamId: 'EXAMPLE123', bundleId: 'com.example.lookout' };
const group = { 'com.apple.security.application-groups': ['EXAMPLE123.com.example.lookout'] };
const named = (id: string) => ({
  'com.apple.application-identifier': `EXAMPLE123.${id}`,
  'com.apple.developer.team-identifier': 'EXAMPLE123',
  ...group,
});

describe('entitlements', () => {
  test.each([
    {
      kind: 'app' as const,
      expected: {
        'com.apple.security.cs.allow-jit': true,
        ...named('com.example.lookout'),
        'com.apple.developer.system-extension.install': true,
        'com.apple.developer.networking.networkextension': [
          'content-filter-provider-systemextension',
          'app-proxy-provider-systemextension',
        ],
      },
    },
    { kind: 'electron-helper' as const, expected: { 'com.apple.security.cs.allow-jit': true } },
    {
      kind: 'flowmonitor' as const,
      expected: {
        ...named('com.example.lookout.flowmonitor'),
        'com.apple.developer.networking.networkextension': [
          'content-filter-provider-systemextension',
        ],
      },
    },
    {
      kind: 'proxymonitor' as const,
      expected: {
        ...named('com.example.lookout.proxymonitor'),
        'com.apple.developer.networking.networkextension': ['app-proxy-provider-systemextension'],
      },
    },
  ])('$kind: these and no others', ({ kind, expected }) => {
    expect(parse(entitlementsOf(kind, ids))).toEqual(expected);
  });
});

test('code is signed with the hardened runtime, a timestamp and its entitlements', () => {
  const code = { path: '/tool', identity: 'Developer ID Application: X', entitlementsFile: '/e' };
  const rest = [
    '--force',
    '--timestamp',
    '--options=runtime',
    '--sign=Developer ID Application: X',
    '--entitlements=/e',
  ];
  expect(codesignArguments(code)).toEqual([...rest, '/tool']);
  expect(codesignArguments({ ...code, identifier: 'com.example.lookout' })).toEqual([
    ...rest,
    '--identifier=com.example.lookout',
    '/tool',
  ]);
});
