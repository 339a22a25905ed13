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
    `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2[\n${pem[1]}${pem[1]}\nAwEH]\nPrivate-MAC: 0a1b`,
  ],
  JWT: [
    `token [${jwt}].`,
    `[${jwt.slice(0, jwt.lastIndexOf('.'))}.]`,
    `x=[${jwt}]&y=1`,
    `[${base64url({ alg: 'dir', enc: 'A256GCM' })}..${LETTERS.slice(0, 16)}.${LETTERS}.${LETTERS}]`,
  ],
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
    '**Password:** [Sommer2024!]',
    '- **Password**: [Sommer2024!]',
    'Passwort: [Sommer2024!]',
    '{"kennwort": "[Sommer2024!]"}',
    'wachtwoord=[hunter2]',
    '- name: DB_PASSWORD\n  value: [Sommer2024!]',
    "  - name: 'DB_PASSWORD'\n    value: '[hunter 2, twice]'",
    'FROM node\nENV DB_PASSWORD [Sommer2024!]',
    'setx DB_PASSWORD "[hunter2]"',
    "let password: string | undefined = '[hunter2]';",
    'let password: &str = "[hunter2]";',
    "password = r'[hunter2]'",
    'password <- "[hunter2]"',
    "const password = process.env.DB_PASSWORD ?? '[hunter2]';",
    '<add key="DbPassword" value="[hunter 2, twice]"/>',
    '<input name="password" value="[hunter2]">',
    '| variable | value |\n| --- | --- |\n| `DB_PASSWORD` | [Sommer2024!] |',
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
    'machine api.heroku.com login me password [8f3a1c22]',
    'machine example.com\n  login me\n  password [hunter2xyz]\nmachine b',
    'default login anonymous password [hunter2xyz]',
  ],
  SECRET: [
    `client_secret = SecretStr("[${LETTERS}]")`,
    `#define API_KEY "[${LETTERS}]"`,
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
    'Authorization: SSWS [00QCjAl4MlV-WPXM4vtzNQ]',
    'curl -H "Authorization: DeepL-Auth-Key [279a2e9d-83b3-c416-7e2d-f721593e42a0:fx]" x',
    'Authorization: SharedKey [app:Y2hhbmdlbWUxMjM0NTY3ODkwYWJjZGVmZw==]',
    'curl -H "X-Api-Key: [k3y-of-someone]" x',
    'x-svc-key=[0123456789]',
    'api_key=[1234567890abcdef]&x=1',
    'sent with bearer [mF_9.B5f-4.1JqM]',
    "curl 'https://x.io/' -H 'cookie: [theme=dark; sid=7f3k2m9x8q1w5e4r; a=b]' -H 'accept: */*'",
    'Set-Cookie: [sid=7f3k2m9x8q1w5e4r; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure]\nx',
    '"Cookie": "[sid=7f3k2m9x8q1w5e4r]"',
    'GET / HTTP/1.1\r\nCookie: [JSESSIONID=7F3K2M9X8Q1W5E4R6T7Y8U9I]\r\n\r\n',
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
    '[jörg@müller.de], [a@mail.köln.de]. [x@例え.jp]です',
    'пишите на [почта@пример.рф]',
    'mailto:[bob@example.museum]?subject=x',
  ],
  CREDIT_CARD: [
    'paid with [4111 1111 1111 1111] yesterday',
    '[5500-0000-0000-0004]',
    '[378282246310005] and [3782 822463 10005]',
    'card=[6011111111111117];',
    '[2223003122003222]',
    '[4111.1111.1111.1111], [4111\u00A01111\u00A01111\u00A01111]',
    '7,[4111111111111111],31',
    '7,[4111-1111-1111-1111],31',
    '0,[378282246310005],1',
    'order 1234 [4111 1111 1111 1111] 123',
  ],
  IBAN: [
    'IBAN [DE89 3704 0044 0532 0130 00], thanks',
    '[GB29NWBK60161331926819]',
    '[NO93 8601 1117 947]',
    '[DE89-3704-0044-0532-0130-00]',
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
    '7,[529.982.247-25],31',
    '[52998224725],31\n',
    '7,[12345678Z],31',
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
    'customer:\n  phone_number: "[0472/48 57 74]"',
    '<span class="label">Telefon</span>: <span>[0151 21189456]</span>',
    'phone_number,city\n[913 66 42 03],Oslo',
    'name,mobile\nAnn,[06-15224946]',
  ],
  IP_ADDRESS: [
    'from [203.0.113.7], [10.0.0.1:8080'.replace(':8080', ']:8080'),
    '[2001:db8::1] and [fe80::1]',
    '[2001:0db8:85a3:0000:0000:8a2e:0370:7334]',
    '[::ffff:192.0.2.128] x',
  ],
  MAC_ADDRESS: [
    'link/ether [00:1a:2b:3c:4d:5e] brd ff:ff:ff:ff:ff:ff',
    'Physical Address: [00-1A-2B-3C-4D-5E].',
    '{"mac":"[9C:B6:D0:12:34:56]"}',
  ],
  // Detected by member name only: see structured-fields.test.ts.
  PERSON_NAME: [],
  POSTAL_ADDRESS: [],
};

const rows = builtinTypes.flatMap((type) => found[type].map((text) => [type, text] as const));

describe.each(rows)('%s in %j', (type, marked) => {
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
