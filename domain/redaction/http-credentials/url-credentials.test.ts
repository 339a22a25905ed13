import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';
import { connectionStrings } from './url-credentials.ts';

const detectors = builtinDetectors(['URL_CREDENTIALS']);
const redacted = (text: string): string =>
  redactText(text, detectors).text.replaceAll('##URL_CREDENTIALS##', '[]');

test.each(connectionStrings)('$example', ({ example, counterExample }) => {
  expect(redacted(example.replaceAll(/[[\]]/g, ''))).toBe(example.replace(/\[[^\]]*\]/, '[]'));
  expect(redacted(counterExample)).toBe(counterExample);
});

test.each([
  'postgres://postgres:postgres@localhost:5432/app',
  'mysql://root:password@127.0.0.1/app',
  'amqp://guest:guest@localhost',
  'redis://:changeme@cache',
  'https://$USER:hunter2@example.com',
  'https://user:hunter2@example.com',
  'https://user:%40hunter2@example.com',
])('the password in %s is real', (url) => {
  expect(redacted(url)).toMatch(/:\/\/\[\]@/);
});

test.each([
  'postgres://user:password@localhost:5432/db',
  'postgres://username:pass@host/db',
  'https://your-user:your_token@example.com',
  'postgres://${DB_USER}:${DB_PASSWORD}@db/app',
  'https://$USER:$TOKEN@git.example.com',
  'https://x-access-token:${{secrets.TOKEN}}@github.com',
  'https://${GITHUB_TOKEN_OF_THE_CI}@github.com',
  'mongodb://<user>:<password>@host',
  'mongodb://{user}:{password}@host',
  'postgres://%s:%s@%s/db',
  'postgres://admin:***@db/app',
  'mysql://user:password@host',
  'http://[user]:[password]@proxy:3128',
])('%s is an example', (url) => {
  expect(redacted(url)).toBe(url);
});
