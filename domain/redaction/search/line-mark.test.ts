import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const BASE64 = 'MC4CAQAwBQYDK2VwBCIEIFRo0Xe9ZrJzYw5yqkW1bTtU8sLhQd3n';

const NETRC = 'machine db.example.com\n  login deploy\n  password s3cretPw99';
const PGPASS = 'db.example.com:5432:orders:app:s3cretPw99';
const putty = `Public-Lines: 1\nAAAA\nPrivate-Lines: 2\n${BASE64}\nAwEH\nPrivate-MAC: 0a1b`;

test.each([
  ['an indented block', (line: string) => `        ${line}`],
  ['a diff', (line: string) => `+${line}`],
  ['a quoted mail', (line: string) => `> ${line}`],
  ['a numbered listing', (line: string, i: number) => `    ${i + 9}\t${line}`],
  ['a numbered listing with arrows', (line: string, i: number) => `    ${i + 9}\u2192${line}`],
  ['results of grep', (line: string, i: number) => `${i + 9}:${line}`],
])('secrets that begin a line or extend over lines are found in %s', (_, mark) => {
  for (const [text, secret] of [
    [NETRC, 's3cretPw99'],
    [PGPASS, 's3cretPw99'],
    [putty, BASE64],
    [putty, 'AwEH'],
  ] as const) {
    const marked = `Look:\n${text.split('\n').map(mark).join('\n')}\n`;
    expect(marked).toContain(secret);
    expect(redactJson(marked, rules).value).not.toContain(secret);
  }
});

const KEY = 'a1B2c3D4e5F6g7H8i9J0k1L2';
const marks: readonly (readonly [string, (line: string, index: number) => string])[] = [
  ['a diff', (line) => `+${line}`],
  ['a diff with removed lines', (line) => `-${line}`],
  ['a quoted mail', (line) => `> ${line}`],
  ['a numbered listing', (line, i) => `    ${i + 9}\t${line}`],
  ['a numbered listing with arrows', (line, i) => `    ${i + 9}\u2192${line}`],
  ['results of grep', (line, i) => `${i + 9}:${line}`],
];

test.each(marks)('names and values on two lines, and below each other, in %s', (_, mark) => {
  for (const text of [
    `env:\n  - name: HONEYCOMB_API_KEY\n    value: "${KEY}"\n  - name: PORT`,
    `- key: DD_APP_KEY\n  value: ${KEY}\n`,
    `user,api_key,role\nann,${KEY},admin\n`,
    `api_key,user\n${KEY},ann\n`,
    `"user";"api_key"\n"ann";"${KEY}"\n`,
    `| user | api_key |\n| --- | --- |\n| ann | ${KEY} |\n`,
  ]) {
    const marked = `Look:\n${text.split('\n').map(mark).join('\n')}\n`;
    expect(marked).toContain(KEY);
    expect(redactJson(marked, rules).value).not.toContain(KEY);
  }
});

test.each(marks)('no values of other rows in %s', (_, mark) => {
  for (const text of [
    '- name: token\n  values: none\n',
    'user,password,role\nstring,string,string\n',
    'const token = a,\n  key,\n  hunter2,\n',
    '- password, token, and key\n- name, value, and hunter2\n',
  ]) {
    const marked = text.split('\n').map(mark).join('\n');
    expect(redactJson(marked, rules).value).toBe(marked);
  }
});
