import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLiteralSecret, looksSecret, namesSecret } from './secret-looking.ts';
import { displayAddress, displayName, displayNames } from './display.ts';

test.each([
  'sk-ant-api03-abcdefghijklmnop',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'AKIAIOSFODNN7EXAMPLE',
  'xoxb-123456789012-abcdefabcdef',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
  '0123456789abcdef0123456789abcdef',
  'Zm9vYmFyMTIzQmF6UXV4NDU2',
  '6f1c1e0a-8c3d-4f0e-9b1a-2d3c4b5a6978',
  'prefix sk-proj-abcdefghijklmnop suffix',
])('%s looks secret', (text) => expect(looksSecret(text)).toBe(true));

test.each([
  '@modelcontextprotocol/server-sequential-thinking',
  'ghcr.io/github/github-mcp-server',
  'mcp-server-kubernetes',
  '/home/ada/.config/Code/User/mcp.json',
  'com.todesktop.230313mzl4w4u92',
  'AZURE_OPENAI_DEPLOYMENT_NAME',
  '2026.11.21',
  'desk-top',
])('%s does not look secret', (text) => expect(looksSecret(text)).toBe(false));

test.each([
  ['API_KEY', 'hunter22', true],
  ['Authorization', 'Bearer hunter22', true],
  ['githubToken', 'hunter22', true],
  ['PGPASSWORD', 'hunter22', true],
  ['dbpass', 'hunter22', true],
  ['BYPASS', 'hunter22', false],
  ['PG_PASSWORD', 'hunter22', true],
  ['ANYTHING', 'sk-ant-api03-abcdefghijklmnop', true],
  ['API_KEY', '${env:API_KEY}', false],
  ['API_KEY', '$API_KEY', false],
  ['Authorization', 'Bearer ${TOKEN}', false],
  ['API_KEY', '${input:api-key}', false],
  ['API_KEY', '<your key>', false],
  ['API_KEY', 'your-api-key-here', false],
  ['API_KEY', 'op://vault/item/field', false],
  ['API_KEY', '', false],
  ['TOKEN_FILE', '/run/secrets/token', false],
  ['MAX_TOKENS', '4096', false],
  ['TOKEN_LIMIT', '4096', false],
  ['AUTHOR', 'ada-lovelace', false],
  ['KEYBOARD', 'us-layout', false],
  ['DEBUG', 'true', false],
])('%s=%s holds a secret: %s', (name, value, secret) =>
  expect(isLiteralSecret(name, value)).toBe(secret),
);

test.each(
  (
    'token X-Api-Key client_secret accessToken APIKey --pass passphrase dbpass PGPASSWORD ' +
    'authtoken accesstoken secretkey -Dtoken -Ddb.password oauth2Bearer jwt TOK sslpwd'
  ).split(' '),
)('%s names a credential', (name) => expect(namesSecret(name)).toBe(true));

test.each(
  'monkey path tokens MAX_TOKENS tokenizer author KEYBOARD bypass compass secretary user'.split(
    ' ',
  ),
)('%s names no credential', (name) => expect(namesSecret(name)).toBe(false));

test.each([
  ['https://ada:sesame@mcp.example:8443/v1/sesame?key=sesame#sesame', 'https://mcp.example:8443'],
  ['https://0123456789abcdef0123456789abcdef.tunnel.example/', 'https://(withheld).tunnel.example'],
  ['http://[::1]:3000/sse', 'http://[::1]:3000'],
  ['${BASE_URL}/mcp', '(unreadable address)'],
  ['sesame', '(unreadable address)'],
])('%s is shown as %s', (address, shown) => expect(displayAddress(address)).toBe(shown));

test('hidden characters are escaped, and secret names withheld', () => {
  expect(displayName('git\u200Bhub\u202E\n')).toBe('git\\u{200b}hub\\u{202e}\\u{a}');
  expect(displayName('  ')).toBe('(unnamed)');
  expect(displayName('sk-ant-api03-abcdefghijklmnop')).toBe('(withheld)');
  expect(displayNames(['Z', 'A B', 'sk-ant-api03-abcdefghijklmnop', 'A'])).toEqual([
    '(withheld)',
    '(withheld)',
    'A',
    'Z',
  ]);
});

test('user, path and parameters of an address are never shown', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{6,30}$/), (secret) => {
      fc.pre(!'https://mcp.example'.includes(secret));
      const address = `https://u:${secret}@mcp.example/${secret}?a=${secret}#${secret}`;
      expect(displayAddress(address)).toBe('https://mcp.example');
    }),
  );
});
