import { expect, test } from 'vitest';
import { redactArguments } from './redact-arguments.ts';

const KEY = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrSt';

test.each<[string, string[], string]>([
  ['a package and a folder', ['-y', '@acme/files', '/srv'], '-y @acme/files /srv'],
  ['a value after an option for secrets', ['--token', 'sesame'], '--token (withheld)'],
  ['one after =', ['--api-key=sesame', '--port=80'], '--api-key=(withheld) --port=80'],
  ['a key anywhere', [KEY, `--x=${KEY}`], '(withheld) --x=(withheld)'],
  ['a variable', ['-e', 'A=b', '--env', 'C'], '-e A=(withheld) --env C'],
  ['a header', ['--header', 'X-Team: blue'], '--header X-Team: (withheld)'],
  [
    'user, path and parameters of an address',
    ['https://u:p@a.example:8443/x/y?k=v#f'],
    'https://a.example:8443/(withheld)',
  ],
  ['an address after =', ['--dsn-of=postgres://u:p@db.example/x'], '--dsn-of=(withheld)'],
  ['personal data', ['--who', 'ada@acme.example'], '--who ##EMAIL##'],
  ['a script', ['-c', 'curl -u me https://x.example'], '-c (withheld)'],
  ['what is quoted', ['-c', "curl -H 'Auth: x'", 'y'], '-c (withheld)'],
  ['a glued variable', ['-eB=sesame', 'x'], '-eB=(withheld) x'],
  ['a variable of an option', ['--env=TEAM=sesame', 'x'], '--env=TEAM=(withheld) x'],
  ['a variable of a wrapper', ['ORG=acme', 'node', 'x.js'], 'ORG=(withheld) node x.js'],
  ['a property', ['-Dtoken=sesame', '-Dteam=sesame'], '-Dtoken=(withheld) -Dteam=(withheld)'],
  ['a header without a blank', ['-H', 'X-Team:sesame'], '-H X-Team:(withheld)'],
  ['a password after a user', ['-u', 'me:sesame', '-ume:sesame'], '-u (withheld) (withheld)'],
  ['a user without a password', ['-u', '1000:1000'], '-u 1000:1000'],
  ['a package with a version', ['mcp-thing==1.2'], 'mcp-thing==1.2'],
  [
    'the secret path of a webhook',
    ['https://hooks.example/T0/B0/x'],
    'https://hooks.example/(withheld)',
  ],
  ...['--pass', '--authtoken', '--secretkey'].map((option): [string, string[], string] => [
    option,
    [option, 'sesame'],
    `${option} (withheld)`,
  ]),
  ...['--passphrase', '--dbpass', '--accesstoken', '-token'].map(
    (option): [string, string[], string] => [option, [`${option}=sesame`], `${option}=(withheld)`],
  ),
  ['nothing', ['--name', ''], "--name ''"],
])('arguments are redacted: %s', (_, args, shown) => {
  expect(redactArguments(args)).toBe(shown);
});

test('many and long arguments are limited', () => {
  const line = redactArguments(Array.from({ length: 5000 }, () => 'word-'.repeat(500)));
  expect(line.length).toBeLessThanOrEqual(900);
  expect(redactArguments(Array(40).fill('a'))).toBe(`${'a '.repeat(30)}… 10 more`);
});
