import { BlockList } from 'node:net';
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
    synchronous: 'full',
    secretKey: undefined,
    bootstrap: {},
    app: { name: 'Gatehouse', bundleId: 'com.gatehouse.agent', teamId: null },
    llm: { provider: 'openai', baseUrl: undefined, apiKey: undefined, timeoutSeconds: 60 },
    smtp: undefined,
    notifyPrivateNetworks: new BlockList(),
    trustedProxies: new BlockList(),
    clientCertProxies: new BlockList(),
    connections: { keepAliveSeconds: 620, max: 10_000, drainSeconds: 8 },
    metricsToken: undefined,
    logLevel: 'info',
  });
});

test('settings are also read under their earlier names, but current names take precedence', () => {
  const earlier = readConfig({ INSTALLER_PACKAGE: 'a.pkg', INSTALLER_TRUST: 'old.pem' });
  expect(earlier).toMatchObject({ installer: { trust: 'old.pem' } });
  const both = readConfig({
    INSTALLER_PACKAGE: 'a.pkg',
    INSTALLER_TRUST: 'old.pem',
    INSTALLER_TRUSTED_ROOTS: 'new.pem',
  });
  expect(both).toMatchObject({ installer: { trust: 'new.pem' } });
  expect(readConfig({ DEVICE_PROXIES: 'proxy' })).toEqual({
    error: expect.stringMatching(/^CLIENT_CERT_PROXIES: expected .*"proxy"$/) as string,
  });
});

test.each([
  [{ PORT: 'abc' }, /^PORT: expected a whole number from 0 to 65535, found "abc"$/],
  [{ PORT: '70000' }, /^PORT: expected a whole number from 0 to 65535, found "70000"$/],
  [{ DEVICE_PORT: '1.5' }, /^DEVICE_PORT: expected a whole number .*, found "1\.5"$/],
  [{ HOST: ' ' }, /^HOST: expected text, found " "$/],
  [{ PUBLIC_URL: 'here' }, /^PUBLIC_URL: expected a URL .* http.*, found "here"$/],
  [{ DEVICE_URL: 'http://x.test' }, /^DEVICE_URL: expected a URL .* https:.*, found "http:/],
  [{ DATABASE_URL: 'mysql://u:hidden@x' }, /^DATABASE_URL: expected a URL .* postgres:\/\//],
  [{ SECRET_KEY: 'hidden' }, /^SECRET_KEY: expected at least 32 characters, found something else$/],
  [{ BOOTSTRAP_API_KEY: 'hidden' }, /^BOOTSTRAP_API_KEY: expected svc_sk_/],
  [{ BOOTSTRAP_ADMIN_EMAIL: 'me' }, /^BOOTSTRAP_ADMIN_EMAIL: expected an email .*, found "me"$/],
  [{ BOOTSTRAP_ADMIN_PASSWORD: 'hidden' }, /^BOOTSTRAP_ADMIN_PASSWORD: expected at least 12/],
  [{ APP_BUNDLE_ID: 'gatehouse' }, /^APP_BUNDLE_ID: expected a reverse domain name/],
  [{ APPLE_TEAM_ID: 'abc' }, /^APPLE_TEAM_ID: expected ten capital letters or digits/],
  [{ LLM_PROVIDER: 'acme' }, /^LLM_PROVIDER: expected one of openai, anthropic, found "acme"$/],
  [{ LLM_BASE_URL: 'models' }, /^LLM_BASE_URL: expected a URL .* http.*, found "models"$/],
  [{ KEEP_ALIVE_SECONDS: '0' }, /^KEEP_ALIVE_SECONDS: expected a whole number from 1 to 7200/],
  [{ MAX_CONNECTIONS: '9' }, /^MAX_CONNECTIONS: expected a whole number from 10 to 1000000/],
  [{ DRAIN_SECONDS: '-1' }, /^DRAIN_SECONDS: expected a whole number from 0 to 3600, found "-1"$/],
  [{ METRICS_TOKEN: 'hidden' }, /^METRICS_TOKEN: expected at least 16 .*, found something else$/],
  [{ LLM_TIMEOUT_SECONDS: '301' }, /^LLM_TIMEOUT_SECONDS: expected a whole number from 1 to 300/],
  [
    { INSTALLER_APP: '/x.app', INSTALLER_PACKAGE: '/x.pkg' },
    /^INSTALLER_APP: expected the path of an app bundle, without INSTALLER_PACKAGE, found/,
  ],
  [{ INSTALLER_IDENTITY: '/x.p12' }, /^INSTALLER_APP: expected the path .*, found nothing$/],
  [
    { INSTALLER_IDENTITY: '/x.p12', INSTALLER_APP: '/x.app' },
    /^INSTALLER_IDENTITY_PASSWORD: expected the password of INSTALLER_IDENTITY, found nothing$/,
  ],
  [{ INSTALLER_TIMESTAMP_URL: 'no' }, /^INSTALLER_TIMESTAMP_URL: expected .* or none, found "no"$/],
  [
    { SMTP_URL: 'http://hidden@mail.test' },
    /^SMTP_URL: expected a URL such as smtps:.* something else$/,
  ],
  [{ SMTP_URL: 'smtp://mail.test' }, /^SMTP_FROM: expected an email address.*, found nothing$/],
  [{ SMTP_FROM: 'a@b.test' }, /^SMTP_URL: expected a URL such as smtps:.*, found nothing$/],
  [{ NOTIFY_PRIVATE_NETWORKS: 'lan' }, /^NOTIFY_PRIVATE_NETWORKS: expected comma-separated/],
  [{ OIDC_ISSUER: 'http://id.test' }, /^OIDC_ISSUER: expected a URL .* https:/],
  [
    { OIDC_ISSUER: 'https://id.test' },
    /^OIDC_CLIENT_ID: expected the client id .*, found nothing$/,
  ],
  [
    { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'us' },
    /^OIDC_CLIENT_SECRET: expected the client secret .*, found nothing$/,
  ],
  [
    { OIDC_ALLOWED_DOMAINS: '@example.com' },
    /^OIDC_ALLOWED_DOMAINS: expected comma-separated domains/,
  ],
  [{ OIDC_ROLE_MAP: 'a=admin' }, /^OIDC_ROLE_MAP: expected JSON such as/],
  [{ OIDC_ROLE_MAP: '{"a":"king"}' }, /^OIDC_ROLE_MAP: expected JSON .* viewer, .*king/],
  [{ OIDC_DEFAULT_ROLE: 'king' }, /^OIDC_DEFAULT_ROLE: expected one of viewer/],
  [
    { CLIENT_CERT_PROXIES: 'proxy' },
    /^CLIENT_CERT_PROXIES: expected comma-separated addresses .*proxy/,
  ],
  [
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    /^TRUSTED_PROXIES: expected comma-separated addresses .*10\.0\.0\.0\/33/,
  ],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: expected one of debug, .*, found "loud"$/],
])(
  '%j is rejected with the expected and the actual value; the value of a secret is omitted',
  (env, message) => {
    const { error } = readConfig(env) as { error: string };
    expect(error).toMatch(message);
    expect(error).not.toMatch(/\n|hidden/);
  },
);
