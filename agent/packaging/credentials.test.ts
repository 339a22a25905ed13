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
  test('all of them', () => {
    expect(readCredentials(complete, () => true)).toEqual({ credentials: complete });
  });

  test.each(Object.keys(complete))(
    '%s missing: one line names it and says what it is for',
    (name) => {
      for (const value of [undefined, '']) {
        const read = readCredentials({ ...complete, [name]: value }, () => true);
        expect(read).toEqual({
          error: expect.stringMatching(`^${name} is not set: the .{15,120}$`),
        });
      }
    },
  );

  test('a file that is not there is named, with its variable', () => {
    const read = readCredentials(complete, (path) => path !== '/AuthKey.p8');
    expect(read).toEqual({
      error: expect.stringMatching(/^NOTARY_KEY: no file \/AuthKey\.p8: the /),
    });
  });

  test('a team of another form', () => {
    const read = readCredentials({ ...complete, APPLE_TEAM_ID: 'example' }, () => true);
    expect(read).toEqual({
      error: 'APPLE_TEAM_ID: expected ten capital letters and digits, found example',
    });
  });

  test('no line holds a password', () => {
    for (const name of Object.keys(complete)) {
      const read = readCredentials({ ...complete, [name]: undefined }, () => true);
      expect(JSON.stringify(read)).not.toContain('secret');
    }
  });
});
