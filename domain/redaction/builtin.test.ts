import { describe, expect, test } from 'vitest';
import { type BuiltinType, builtinTypes } from '#contract/settings.ts';
import { builtinDetectors } from './builtin.ts';
import { redactText } from './redact-text.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ sub: '42' })}.c2lnbmF0dXJl`;
const pem = ['PRIVATE KEY', 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49', 'AwEHBG0wawIBAQQg'];
const privateKey = `-----BEGIN ${pem[0]}-----\n${pem[1]}\n${pem[2]}\n-----END ${pem[0]}-----`;
// Assembled at run time, so that secret scanners do not report this file.
const key = (...parts: string[]) => parts.join('');
const LETTERS = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';

/** Texts with the expected findings in brackets. */
const found: Record<BuiltinType, readonly string[]> = {
  PRIVATE_KEY: [
    `key:\n[${privateKey}]\nend`,
    `[${privateKey.replaceAll('PRIVATE', 'RSA PRIVATE').replaceAll('\n', '\\n')}]`,
    `${`[${privateKey.slice(0, privateKey.indexOf('-----END'))}`.trimEnd()}]`,
    `[${privateKey}] and [${privateKey}]`,
  ],
  JWT: [`token [${jwt}].`, `[${jwt.slice(0, jwt.lastIndexOf('.'))}.]`, `x=[${jwt}]&y=1`],
  API_KEY: [
    `use [${key('sk-', 'proj-', LETTERS)}] now`,
    `[${key('sk-', 'ant-api03-', LETTERS)}]`,
    `OPENAI_API_KEY=[${key('sk-', LETTERS)}]`,
    `"[${key('gh', 'p_', LETTERS)}]"`,
    `[${key('github_', 'pat_', LETTERS)}]`,
    `[${key('glp', 'at-', LETTERS.slice(0, 20))}]`,
    `[${key('xox', 'b-', '123456789012-abcdefABCDEF')}]`,
    `id [${key('AKIA', 'IOSFODNN7EXAMPLE')}],`,
    `[${key('AIza', LETTERS.slice(0, 35))}]`,
    `[${key('sk_', 'live_', LETTERS)}]`,
    `[${key('hf_', LETTERS)}]`,
    `[${key('svc_', 'sk_', '0123456789abcdef')}]`,
    `[${key('svc_', 'su_', '0123456789abcdef')}]`,
  ],
  PASSWORD: [
    'password=[hunter2]',
    'DB_PASSWORD: "[correct horse battery staple]"',
    'export PGPASSWORD=[s3cr(e)t;1]',
    'Server=db;User Id=app;Password=[Sup3r!Secret];Encrypt=True',
    'https://example.com/login?user=a&password=[hunter2]&x=1',
    '<password>[hunter2]</password>',
    'mysql --password [hunter2] app',
    String.raw`{\"userPassword\":\"[hunter2]\"}`,
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n[hunter 2, twice]\r\n--b--',
    '--b\nContent-Disposition: form-data; name="pwd"\nContent-Type: text/plain\n\n[hunter2]\n--b--',
    'curl -u bob:[Tr0ub4dor&3xkcd!] https://example.com',
    "curl.exe -sSu 'bob:[correct horse]' https://example.com",
    'curl -s \\\n  --user "bob:[hunter2]" \\\n  https://example.com',
  ],
  SECRET: [
    `AWS_SECRET_ACCESS_KEY=[${LETTERS}]`,
    `client_secret: [${LETTERS.toLowerCase()}]`,
    `const apiKey = '[${LETTERS}]';`,
    `api_key: str = "[${LETTERS}]"`,
    `adafruit_api_key=[0123456789abcdef0123456789abcdef]`,
    `HEROKU_API_KEY: [01234567-89ab-cdef-0123-456789abcdef]`,
    `setdefault("DATADOG_KEY", '[${LETTERS}]')`,
    `setenv("GITHUB_TOKEN", "[${LETTERS}]")`,
    `asana_client_id=[1234567890123456]`,
    `aws_secret_access_key = [/a1B2c3D4e5F6g7H8i9J0/1L2m3N4o5P6q7R8s9T]`,
    `--token [${LETTERS}]`,
  ],
  AUTHORIZATION: [
    'Authorization: Bearer [abc.DEF-123_456]',
    'authorization: Basic [dXNlcjpwYXNzd29yZA==]',
    '"authorization": "Bearer [0123456789abcdef]"',
    'curl -H "X-Api-Key: [k3y-of-someone]" x',
    'x-svc-key=[0123456789]',
    'api_key=[1234567890abcdef]&x=1',
    'sent with bearer [mF_9.B5f-4.1JqM]',
  ],
  URL_CREDENTIALS: [
    'postgres://[app:s3cret]@db.internal:5432/app',
    'https://[x-access-token:p@ss]@example.com/a',
    'redis://[:hunter2]@cache:6379',
    'https://[0123456789abcdef01234567]@example.com/repo.git',
    'the stream ended at postgres://[app:s3cret]',
    'redis://[:hunter2]',
  ],
  EMAIL: [
    'write to [jane.doe+news@mail.example.com].',
    '<[a@b.io]>, [x_y@example.co.uk]; [JOSÉ@example.com]',
    "'[o'neil@example.org]'",
    'mailto:[bob@example.museum]?subject=x',
  ],
  CREDIT_CARD: [
    'paid with [4111 1111 1111 1111] yesterday',
    '[5500-0000-0000-0004]',
    '[378282246310005] and [3782 822463 10005]',
    'card=[6011111111111117];',
    '[2223003122003222]',
    'order 1234 [4111 1111 1111 1111] 123',
  ],
  IBAN: [
    'IBAN [DE89 3704 0044 0532 0130 00], thanks',
    '[GB29NWBK60161331926819]',
    '[NO93 8601 1117 947]',
    '[fr1420041010050500013m02606]',
  ],
  US_SSN: ['ssn [536-90-4399]', '[536 90 4399]', 'Social Security Number: [536904399]'],
  NATIONAL_ID: [
    'TFN [123 456 782]',
    '[85.07.30-033.28], [85073003328]',
    'CPF [529.982.247-25]',
    'SIN: [046 454 286]',
    '[756.9217.0769.85]',
    'RUT [12.345.678-5]',
    '[11010519491231002X]',
    'Steuer-ID [86 095 742 719]',
    'DNI [12345678Z], NIE [X1234567L]',
    '[131052-308T]',
    '[2 55 08 14 168 025 38]',
    'NINO [QQ 12 34 56 C]'.replace('QQ', 'AB'),
    'NHS number [943 476 5919]',
    '[2341 2341 2346]',
    '[RSSMRA85T10A562S]',
    '[900101-1234568]',
    'BSN [111222333]',
    '[44051401359]',
    'NIF [123456789]',
    '[811228-9874]',
    '[S1234567D]',
    '[10000000146]',
    '[8001015009087]',
  ],
  PHONE: [
    'call [+49 (0)30 1234567] or [+1-202-555-0143]',
    '[+442079460958]',
    '[(202) 555-0143], [202-555-0143], [1.202.555.0143]',
    'Tel.: [030 1234567]',
    'mobile: [0171/1234567]',
    '[+354 123 4567] 2024, [+45 12 34 56 78]; [+298 123456]',
    '[+86 138 0013 8000]x'.replace('x', ','),
    '[+44 (0)20 7946 0958] [+800 1234 5678] [+49.1701234567]',
  ],
  IP_ADDRESS: [
    'from [203.0.113.7], [10.0.0.1:8080'.replace(':8080', ']:8080'),
    '[2001:db8::1] and [fe80::1]',
    '[2001:0db8:85a3:0000:0000:8a2e:0370:7334]',
    '[::ffff:192.0.2.128] x',
  ],
  // Detected by member name only: see structured-fields.test.ts.
  PERSON_NAME: [],
  POSTAL_ADDRESS: [],
};

const left: Record<BuiltinType, readonly string[]> = {
  PRIVATE_KEY: [
    'a file that begins with -----BEGIN PRIVATE KEY----- is secret',
    '-----BEGIN CERTIFICATE-----\nMIGHAgEAMBMGByqGSM49AgEG\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMIGHAgEAMBMGByqGSM49AgEG\n-----END PUBLIC KEY-----',
  ],
  JWT: [`${base64url({ name: 'not a token' })}.abcdef.ghi`, 'eyJub3QgYmFzZTY0.!', 'eyJ.eyJ.x'],
  API_KEY: [
    'class="sk-circle-fade-dot-animation-slow"',
    'task-0123456789abcdef0123456789abcdef',
    'npm_config_registry_of_some_company',
    'AKIA',
    'the sk- prefix',
    key('gh', 'p_short'),
  ],
  PASSWORD: [
    'password=${PASSWORD} password: <password> passwd=****',
    'reset your password: required fields are marked',
    '"password": "Enter a new password"',
    'password = getpass.getpass()',
    'password: process.env.DB_PASSWORD',
    'password: /run/secrets/db',
    'passed=12 passport: 12345678 bypass=yes',
  ],
  SECRET: [
    'token_count: 12345678 max_tokens=4096',
    'primary_key=user_id_0001 cache_key: a1b2c3d4e5f6a7b8',
    'api_key = os.environ["OPENAI_API_KEY"]',
    'secret: projects/app/secrets/db-1',
    'token: your-token-here1',
    'api_key: ${API_KEY}',
    'next_page_token=a1B2c3D4e5F6',
    'secret_name: my-app-secret-1',
    'authToken: string;',
    'keyboard=a1B2c3D4e5F6',
  ],
  AUTHORIZATION: [
    'Authorization: required for everybody',
    'bearer authentication is explained',
    'the api key: required',
    'Bearer responsibilities',
    'keyboard: 12345678',
  ],
  URL_CREDENTIALS: [
    'https://example.com:8080/@user',
    'http://localhost:3000',
    'https://user@example.com',
    'see https://example.com/a?b=c:d@e',
    'it listens on http://localhost:8080.',
    'mongodb://one:27017,two:27018',
    'http://localhost:$PORT',
    'http://localhost:port',
    'http://[::1]:3000',
    'docker://node:latest',
    'redis://cache:6379',
    'see https://docs:internal',
  ],
  EMAIL: [
    '@someone',
    'a @ b.com',
    'logo@2x.png',
    'left-pad@1.3.0',
    'user@localhost',
    'x@y..com',
    '@scope/name@1.2.3',
    'https://user:password@example.com',
  ],
  CREDIT_CARD: [
    '4111 1111 1111 1112',
    '1234567890123456',
    '0.4111111111111111',
    'id41111111111111110',
    '0000000000000000',
    '1700000000000 1700000000001',
    '41 11 11 11 11 11 11 11',
  ],
  IBAN: [
    'DE89 3704 0044 0532 0130 01',
    'XX89370400440532013000',
    'GB29',
    'DE893704004405320130000',
  ],
  US_SSN: [
    '000-12-3456',
    '666-12-3456',
    '900-12-3456',
    '536-00-4399',
    '536-90-0000',
    '078-05-1120',
    '536904399',
    '2024-536-90-4399',
    '536-90 4399',
  ],
  NATIONAL_ID: [
    '123 456 782',
    'order 12345678901',
    '2024-11-02 10:30:00',
    '1700000000000',
    '12345678A',
    '529.982.247-26',
    '756.9217.0769.84',
    '111222333',
    '01234567-89ab-cdef-0123-456789abcdef',
    'AB 12 34 56 E',
  ],
  PHONE: [
    '2024-11-02',
    'at 10:30 +0200',
    '1 + 12345',
    '+12345678',
    '123-456-7890',
    '300 400 5000',
    'hotel: 1234567',
    'a+1234567890123',
    '+3.1415926535',
    'diff +1234567890, +17000000000000',
    'fax: 2024-11-02 10:30',
    'utc+01:00:00.000000',
    '+210 123 456 789',
    '4111-1111-1111-1111',
  ],
  IP_ADDRESS: [
    'v1.2.3.4',
    'version 1.2.3.4',
    '1.2.3',
    '256.1.1.1',
    '1.2.3.4.5',
    '127.0.0.1 and ::1',
    '12:34:56',
    'std::vector a::b',
    'aa:bb:cc:dd:ee:ff',
    '0.0.0.0',
  ],
  PERSON_NAME: ['first_name: Jane', 'My name is Jane Doe.'],
  POSTAL_ADDRESS: ['street: 12 Main Street', '12 Main Street, 10115 Berlin'],
};

const rows = (corpus: Record<BuiltinType, readonly string[]>) =>
  builtinTypes.flatMap((type) => corpus[type].map((text) => [type, text] as const));

describe.each(rows(found))('%s in %j', (type, marked) => {
  test('is found without its surroundings', () => {
    const expected = marked.replaceAll(/\[[^\]]*\]/g, `##${type}##`);
    const text = marked.replaceAll(/[[\]]/g, '');
    expect(redactText(text, builtinDetectors([type])).text).toBe(expected);
  });
  test('is removed completely if all detectors run', () => {
    const { text } = redactText(marked.replaceAll(/[[\]]/g, ''), builtinDetectors());
    for (const [, secret = ''] of marked.matchAll(/\[([^\]]*)\]/g))
      expect(text).not.toContain(secret);
  });
});

test.each(rows(left))('no %s in %j', (type, text) => {
  expect(redactText(text, builtinDetectors([type]))).toEqual({ text, counts: {} });
});
