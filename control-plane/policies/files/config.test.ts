import { expect, test } from 'vitest';
import { readTarget } from './config.ts';

const URL = 'https://gatehouse.test';
const KEY = 'svc_sk_1';

test.each([
  ['from where SDKs read it', {}, { SVC_API_URL: URL, SVC_API_KEY: KEY }],
  [
    'as it is given',
    { url: URL, keyEnv: 'K' },
    { SVC_API_URL: 'http://other', SVC_API_KEY: 'other', K: KEY },
  ],
])('the target %s', (_what, given, env) => {
  expect(readTarget(given, env)).toEqual({ url: URL, apiKey: KEY });
});

test.each([
  ['without an address', {}, { SVC_API_KEY: KEY }, /^--url: expected the address/],
  ['with something else', { url: 'gatehouse' }, { SVC_API_KEY: KEY }, /^--url: .* like https:/],
  ['with a file', { url: 'file:///x' }, { SVC_API_KEY: KEY }, /^--url: .* like https:/],
  ['with nonsense', { url: 'http:' }, { SVC_API_KEY: KEY }, /^--url: .* like https:/],
  ['without a key', { url: URL }, {}, /^--key-env: expected the name of a variable/],
  ['with an empty key', { url: URL }, { SVC_API_KEY: '' }, /^--key-env: /],
  ['with a key for a name', { url: URL, keyEnv: KEY }, {}, /^--key-env: (?!.*svc_sk)/],
])('a target %s is rejected', (_what, given, env, error) => {
  expect(readTarget(given, env)).toEqual({ error: expect.stringMatching(error) });
});
