import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';

const redact = (text: string): string => redactText(text, builtinDetectors()).text;

test.each([
  [
    'sqlite3',
    'id  user  password\n--  ----  ----------------\n1   mary  rpprlBwsytGcg3iX\n2   joe   x0cUegG4adD3lT11\n',
    'id  user  password\n--  ----  ----------------\n1   mary  ##PASSWORD##\n2   joe   ##PASSWORD##\n',
  ],
  [
    'pandas, whose rows begin with an index',
    '   user          password                             token\n0  mary  4q1x9HlgnrQ4bvRX  f1a001a3d1cc0a594339dc2f21100787\n',
    '   user          password                             token\n0  mary  ##PASSWORD##  ##SECRET##\n',
  ],
  [
    'other rows of the column are kept',
    'NAME  TOKEN                 AGE\nfoo   none                  3d\nbaz   a8Kd93kdP03kd9sLq2Xw  4d\n',
    'NAME  TOKEN                 AGE\nfoo   none                  3d\nbaz   ##SECRET##  4d\n',
  ],
])('values below a name: %s', (_, text, redacted) => {
  expect(redact(text)).toBe(redacted);
});

test.each([
  'Options:\n  user      the user\n  password  the password\n  sha256    the digest\n',
  'password  status\nweak      rejected\nmissing   rejected\n',
  'token  count\n12345  100002\n',
])('no values: %j', (text) => {
  expect(redact(text)).toBe(text);
});
