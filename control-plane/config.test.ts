import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({ PORT: '' })).toEqual({
    host: '0.0.0.0',
    port: 8080,
    devicePort: 8443,
    publicUrl: undefined,
    deviceUrl: undefined,
    dataDir: './data',
    databaseUrl: undefined,
    secretKey: undefined,
    bootstrap: {},
    app: { name: 'Gatehouse', bundleId: 'com.gatehouse.agent', teamId: 'GATEHOUSE1' },
    logLevel: 'info',
  });
});

test.each([
  [{ PORT: 'http' }, /^PORT: /],
  [{ PORT: '70000' }, /^PORT: /],
  [{ DEVICE_URL: 'http://plain.example' }, /^DEVICE_URL: /],
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: /],
  [{ SECRET_KEY: 'short' }, /^SECRET_KEY: /],
  [{ BOOTSTRAP_API_KEY: 'abc' }, /^BOOTSTRAP_API_KEY: expected svc_sk_/],
  [{ BOOTSTRAP_ADMIN_PASSWORD: 'short' }, /^BOOTSTRAP_ADMIN_PASSWORD: /],
  [{ APP_BUNDLE_ID: 'gatehouse' }, /^APP_BUNDLE_ID: expected a reverse domain name/],
  [{ APPLE_TEAM_ID: 'abc' }, /^APPLE_TEAM_ID: expected ten capital letters or digits/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: /],
])('%j is refused by the name of the variable, without its value', (env, line) => {
  const { error } = readConfig(env) as { error: string };
  expect(error).toMatch(line);
  expect(error).not.toContain('\n');
});
