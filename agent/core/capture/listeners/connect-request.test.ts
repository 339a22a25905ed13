import { expect, test } from 'vitest';
import { readConnectRequest } from './connect-request.ts';

test.each([
  ['api.openai.com:443', 'api.openai.com', 443, true],
  ['API.OpenAI.com.:8443', 'api.openai.com', 8443, true],
  ['a_b.example:1', 'a_b.example', 1, true],
  ['192.0.2.7:443', '192.0.2.7', 443, false],
  ['[2001:DB8::7]:443', '2001:db8::7', 443, false],
  ['intranet:443', 'intranet', 443, true],
  ['notlocalhost:443', 'notlocalhost', 443, true],
  ['10.1:443', '10.0.0.1', 443, false],
])('%s is accepted', (target, host, port, isName) =>
  expect(readConnectRequest(target)).toEqual({ state: 'accepted', host, port, isName }),
);

test.each([
  '',
  'example.com',
  'example.com:',
  'example.com:0',
  'example.com:65536',
  'example.com:443/',
  'https://example.com:443',
  'user@example.com:443',
  'a b:443',
  ':443',
  '[::1:443',
  '2001:db8::7:443',
  '[2001:db8::7%eth0]:443',
  '256.0.0.1:443',
  '%6c%6f.example:443',
])('%j is not a target', (target) =>
  expect(readConnectRequest(target)).toMatchObject({ state: 'refused', status: 400 }),
);

test.each([
  'localhost:443',
  'LOCALHOST.:443',
  'db.localhost:5432',
  'localhost.localdomain:22',
  'localhost6:22',
  'ip6-loopback:22',
  '127.0.0.1:3128',
  '127.1:22',
  '0x7f.1:22',
  '2130706433:22',
  '0177.0.0.1:22',
  '0:22',
  '169.254.169.254:80',
  '[::1]:22',
  '[::]:22',
  '[0:0:0:0:0:ffff:7f00:1]:22',
  '[::ffff:169.254.169.254]:80',
  '[fe80::1]:22',
])('%s is refused', (target) =>
  expect(readConnectRequest(target)).toMatchObject({ state: 'refused', status: 403 }),
);
