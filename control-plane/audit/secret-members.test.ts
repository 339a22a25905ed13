import { expect, test } from 'vitest';
import { withoutSecrets } from './secret-members.ts';

const jwt = `${btoa('{"alg":"HS256","typ":"JWT"}').replaceAll('=', '')}.eyJzdWIiOiIxIn0.c2lnbmF0dXJl`;

test.each([
  [{ password: 'x' }, { password: '##SECRET##' }],
  [{ a: [{ New_Password: 'x' }] }, { a: [{ New_Password: '##SECRET##' }] }],
  [{ clientSecret: 'x' }, { clientSecret: '##SECRET##' }],
  [{ 'client-secret': 12345 }, { 'client-secret': '##SECRET##' }],
  [
    { credentials: { user: 'a', pass: 'b' } },
    { credentials: { user: '##SECRET##', pass: '##SECRET##' } },
  ],
  [{ note: `it is svc_sk_${'0123456789abcdef'.repeat(2)}.` }, { note: 'it is ##API_KEY##.' }],
  [{ note: `it is ${jwt}` }, { note: 'it is ##JWT##' }],
  [{ text: '{"token":"x"}' }, { text: '{"token":"##SECRET##"}' }],
  [
    { url: 'https://me:hunter22@example.com/' },
    { url: 'https://##URL_CREDENTIALS##@example.com/' },
  ],
])('%j', (value, masked) => expect(withoutSecrets<unknown>(value)).toEqual(masked));

test.each([
  { max_tokens: 5, tokens_in: 7 },
  { must_change_password: true, password: null },
  { keys: [{ key: 'customer.email', type: 'EMAIL' }] },
  { content_hash: 'a1b2', email: 'ada@example.test', ip: '192.0.2.1' },
])('%j stays unchanged', (value) => expect(withoutSecrets(value)).toEqual(value));
