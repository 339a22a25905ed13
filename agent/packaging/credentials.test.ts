import { describe, expect, test } from 'vitest';
import { readCredentials } from './credentials.ts';

const complete: Record<string, string> = {
  APPLE_TEAM_ID: 'EXAMPLE123',
  APP_IDENTITY: 'Developer ID Application: Example (EXAMPLE123)',
  APP_PROFILE: '/app.provisionprofile',
  FLOWMONITOR_PROFILE: '/flow.provisionprofile',
  PROXYMONITOR_PROFILE: '/proxy.provisionprofile',
  INSTALLER_IDENTITY: '/installer.p12',
  INSTALLER_IDENTITY_PASSWORD: 'secret',
  NOTARY_KEY: '/AuthKey.p8',
  NOTARY_KEY_ID: 'ABCDE12345',
  NOTARY_ISSUER: '00000000-0000-0000-0000-000000000000',
};

describe('credentials of a release', () => {
  test('all are read', () => {
    expect(readCredentials(complete, () => true)).toEqual({ credentials: complete });
  });

  test.each(Object.keys(complete))(
    'if %s is missing, the error names it and its purpose',
    (name) => {
      for (const value of [undefined, '']) {
        const read = readCredentials({ ...complete, [name]: value }, () => true);
        expect(read).toEqual({
          error: expect.stringMatching(`^${name} is not set: the .{15,120}$`),
        });
      }
    },
  );

  test('a missing file is named with its variable', () => {
    const read = readCredentials(complete, (path) => path !== '/AuthKey.p8');
    expect(read).toEqual({
      error: expect.stringMatching(/^NOTARY_KEY: no file \/AuthKey\.p8: the /),
    });
  });

  test('an invalid team is an error', () => {
    const read = readCredentials({ ...complete, APPLE_TEAM_ID: 'example' }, () => true);
    expect(read).toEqual({
      error: 'APPLE_TEAM_ID: expected ten capital letters and digits, found example',
    });
  });

  test('no error contains a password', () => {
    for (const name of Object.keys(complete)) {
      const read = readCredentials({ ...complete, [name]: undefined }, () => true);
      expect(JSON.stringify(read)).not.toContain('secret');
    }
  });
});
