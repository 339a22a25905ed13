import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';
import { redactText } from './redact-text.ts';

/**
 * Runs `work` and counts the characters that regular expressions and `indexOf` read in it, and the
 * look-ups in sets and the members that `Object.entries` lists.
 */
function charactersRead(work: () => void): number {
  let read = 0;
  const exec = Reflect.get(RegExp.prototype, 'exec');
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (
    this: RegExp,
    text: string,
  ) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    // A sticky pattern reads at one position; other patterns read on until they match.
    if (this.sticky) read += (match?.[0].length ?? 0) + 1;
    else read += (match ? match.index + match[0].length : text.length) - from + 1;
    return match;
  });
  const indexOf = Reflect.get(String.prototype, 'indexOf');
  const search = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (
    this: string,
    piece: string,
    from = 0,
  ) {
    const at = indexOf.call(this, piece, from);
    read += (at === -1 ? this.length : at) - from + 1;
    return at;
  });
  const has = Reflect.get(Set.prototype, 'has');
  const lookUp = vi.spyOn(Set.prototype, 'has').mockImplementation(function (
    this: Set<unknown>,
    value: unknown,
  ) {
    read += 1;
    return has.call(this, value);
  });
  const { entries } = Object;
  const list = vi.spyOn(Object, 'entries').mockImplementation((object: object) => {
    const listed = entries(object);
    read += listed.length;
    return listed;
  });
  try {
    work();
    return read;
  } finally {
    spy.mockRestore();
    search.mockRestore();
    lookUp.mockRestore();
    list.mockRestore();
  }
}

const seeds = [
  'a|1|1 |1-|-|.|@|a@|a.|@a.|:|a:|1.|1.1.1.|+|+1|+1 |://|://a:|://a:b|eyJ|eyJa.|sk-|A|DE89|DE89 |(',
  'Bearer |authorization:|-----BEGIN |-----BEGIN PRIVATE KEY-----|-----END |4111 1111 |##|tel: 1',
  '-----END PRIVATE KEY-----|MIGHAgEAMBMGByqGSM49 ',
  'password|password=|key|api_key: |secret=a1|token="|--token |gh|ghp_|live_|Q~|-us|.atlasv1.',
  '%|%4|%41|%E0|%FF|%3D|YWJj|aGVsbG8gd29ybGQgYWJj |+|=|&',
  'cookie: a=|; a=1|=sig|sig=|JSESSIONID=|mysql |sshpass -p |-pa1b2| -b a=|machine a login b password ',
  '{"a": |{"|7,123456789|,123,|ö@|@ö.|Private-Lines: 1\\n|:AA',
  'xoxd-a1-|0a1b2c3d4e5f60718293a4b5c6d7e8f9-us1-|live_|/AQE|JQQJ9|+ASb|.a1B2|0.A|sk.eyJ|2aB|MTIz|access_token$production$',
  'password is |use a1! as the password|log in with a / |contraseña: | ssn |CPR 1|cell: 1',
  'curl | -u |-u a:b|form-data; name="password"|\r\n|"\r\n\r\n',
  'net use Z: | /user:a |htpasswd -nbB | -pa1b2c3 |mongosh -p |IDENTIFIED BY |CREATE USER a PASSWORD ',
  'echo a1b2c3d4 ; docker login --password-stdin <<< a1|<<< a1b2c3|auth("a", |SetBasicAuth(a, |setPassword("a1',
  'password: >\n  a1b2c3d4\n|password = <<EOT\n|variable "password" {|--name password |config set token ',
  'a,password,token\n|a;1;b2c3d4e5\n|password,|token\t|:5432:|:*:a:|app:a1b2c3@tcp(|a/b1c2d3@h:1521|sqlplus a/b1 ',
  'token=|auth=a1=|psk=|Authorization: a |Authorization: SSWS ',
  'authorization: digest a=|authorization: hawk mac="a1b2c3d4", |, a="b|Authorization: OAuth a=b; ',
  'snmp: |snmp={\n|community: "a1b2" |snmp-server community a1 RO |change the password from a1b2c3 to |rabbitmqctl change_password a b',
  'key is |la clé a b c d |Schlüssel lautet |the token for a b |キーは ',
  'cvv 123 |my pin is |--otp 1234|recovery codes: |- a1b2c-d3e4f\n|pin code |one time code: 1|otp',
  'PWD={a1b2;c3}|\\\\\\"|?key=a1B2c3D4e5F6g7H8i9J0k1L2&|expect "password:"\n',
  'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617|KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98618 ',
  'PRIVATE_KEY=0x4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b |new Wallet("|[1,2,|accounts: ["0x',
  "INSERT INTO a (password) VALUES ('|INSERT INTO a (password, token) VALUES (|'a1', |'b2'), (|(1, |password, |password) VALUES (",
  '$6$|$6$a$|$argon2id$|$2b$12$|{SSHA}|pbkdf2_sha256$1$|-----BEGIN OpenVPN Static key V1-----|$9$a1',
  '│ password │ a1 │\n|├───┼───┤\n|+---+---+\n|---+---\n|│ a ┆ password │\n| password | token |\n|password      | a1',
  'passwords = ["|"a1b2", |passwords:\n  - |- a1\n|" -> "|secrets: [|Unseal Key 1: |password    a1!\n|set a password a1!\n',
  '1) "password"\n2) "|USER a\n|PASS a1b2\n|a1 LOGIN a |WIFI:|S:a;|P:a1;|AUTH PLAIN YTEy|334 UGFzc3dvcmQ6\n|radius-server key 7 ',
  'Generated password for a b: |password for the |X-Api-Key:[|map[|userPassword:: |- --token\n- |name=password::|{password, "a1b2c3"}',
  'mnemonic: |mnemonic="legal winner thank |4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b,',
  'seed |zoo |1. wrong |legal winner thank year wave sausage worth useful legal winner thank yellow ',
].flatMap((line) => line.split('|'));
const unit = fc.array(fc.constantFrom(...seeds), { minLength: 1, maxLength: 3 });

test.each([
  'sk-1',
  'eyJ',
  'eyJhbGciOiJub25lIn0.',
  'Bearer 1',
  '://',
  '4111 ',
  '-----BEGIN ',
  '["',
  '+1',
  'a@',
])('megabytes of %j are redacted like any text', (beginning) => {
  for (const filler of ['a', '1 ', beginning, '\\\\'])
    expect(() =>
      redactText(beginning + filler.repeat(2_000_000 / filler.length), builtinDetectors()),
    ).not.toThrow();
});

test.each([
  ['sk-1', 'API_KEY'],
  ['eyJhbGciOiJub25lIn0.', 'JWT'],
  ['Bearer 1', 'AUTHORIZATION'],
] as const)('a secret that begins with %s is found up to its end', (beginning, type) => {
  const start = beginning.startsWith('Bearer') ? 'Bearer ' : '';
  expect(
    redactText(`${beginning}${'a1B2c3'.repeat(9000)} end`, builtinDetectors([type])).text,
  ).toBe(`${start}##${type}## end`);
});

test('the work grows linearly with the length of the text', () => {
  const readOf = (text: string) => charactersRead(() => void redactText(text, builtinDetectors()));
  fc.assert(
    fc.property(unit, fc.constantFrom(...seeds), (unit, tail) => {
      const text = unit.join('').repeat(400);
      // Quadratic work would read sixteen times as much. A text longer than the longest key needs
      // more rounds, so a factor of five is acceptable.
      expect(readOf(text.repeat(4) + tail)).toBeLessThan(8 * readOf(text + tail));
    }),
    { numRuns: 150 },
  );
});

/** Texts that begin like the notations with the longest patterns. */
const notations: readonly string[] = [
  'net use Z: \\\\files\\share /user:a ',
  'htpasswd -nbB -C 12 a ',
  'echo a1b2c3d4 | docker login --password-stdin ',
  'docker login <<< a1b2c3 | sudo -S ',
  'a,password,token\n1,a1b2c3,d4e5f6\n',
  'password,token,',
  'token\t',
  '| password | token |\n|---|---|\n| a1b2c3 | d4e5f6 |\n',
  'password: |\n  a1b2c3\n',
  '> password,token\n> a1b2c3,d4e5f6\n',
  '+- name: API_KEY\n+  value: a1b2c3\n',
  '12\t',
  'password: |\n  <a>\n',
  'gh secret set password ',
  '--name password --body ',
  'create user password ',
  'variable "password" { ',
  'auth("a", ',
  'SetBasicAuth("a", "a1b2c3", ',
  'app:a:a1b2c3@tcp(',
  'a/b1c2d3@h:1521',
  ' -x curl ',
  'mysql -x mariadb -y ',
  'url accounts: ["0x4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b", ',
  'private_key: hex(0x4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b) ',
  'new Wallet(          ',
  'client("a", "zBmJ1kiUqI5RP0xWv7TgLd3N", ',
  'https://a.example/token/Zk3f9Qx7LmPq2RtYv8Wn/',
  '/password/',
  '/password/hunter2!x',
  '> legal winner thank year wave sausage worth useful\n> legal winner thank\n',
  '|password|a1b2c3|\n',
  '| **password:** | a1b2c3 |\n',
  'app,password,a1b2c3!\n',
  'app,app,password;',
  '<td>password:</td>\n  <td><code>a1b2c3</code></td>\n',
  '<b>password:</b> <code>a1b2c3 ',
  '[12,34,56,78,90,',
  `${'123456 '.repeat(30)} and so on and so on `,
  'mnemonic: legal winner thank year wave sausage worth useful ',
];

test.each(notations)('the work grows linearly for %j', (unit) => {
  const readOf = (text: string) => charactersRead(() => void redactText(text, builtinDetectors()));
  const text = unit.repeat(300);
  expect(readOf(text.repeat(4))).toBeLessThan(8 * readOf(text));
  // Also if no line ends.
  const line = unit.replaceAll('\n', ' ').repeat(300);
  expect(readOf(line.repeat(4))).toBeLessThan(8 * readOf(line));
});

const secretName = (number: number): string =>
  ['gh', 'p_aB3dE5fG7hI9jK1lM3nO5p', String(number).padStart(6, '0')].join('');
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** All spellings of a name of nine letters, each of which names a value. */
const spellings = times(512, (bits) =>
  Array.from('plaintext', (letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(
    '',
  ),
);
const wrap = (depth: number, around: (inner: unknown) => unknown, inner: unknown): unknown =>
  depth === 0 ? inner : wrap(depth - 1, around, around(inner));

/** Values whose size is proportional to a number. */
const adversarial: Record<string, (size: number) => unknown> = {
  'many names that are keys': (size) =>
    Object.fromEntries(times(size, (n) => [secretName(n), 1] as const)),
  'placeholders as names before them': (size) =>
    Object.fromEntries([
      ...times(size, (n) => [`##API_KEY_${n}##`, 1] as const),
      ...times(size, (n) => [secretName(n), 1] as const),
    ]),
  'long names': (size) =>
    Object.fromEntries(
      times(size / 20, (n) => [`${secretName(n)} ${'##A '.repeat(500)}`, 1] as const),
    ),
  'a very long name': (size) => ({ [secretName(1) + '##A'.repeat(size * 10)]: 1 }),
  'many names of values': (size) =>
    Object.fromEntries([
      ...times(size, (n) => [`m${n}`, 'x'] as const),
      ...spellings.map((name) => [name, 'hello'] as const),
    ]),
  'many numbers under one name': (size) => ({ ssn: times(size, (n) => n * 7919) }),
  'deep objects': (size) =>
    times(size / 50, () => wrap(190, (inner) => ({ first_name: inner, list: [1] }), 'Jane')),
  'deep lists': (size) => '['.repeat(size * 10),
  'lists of bytes': (size) =>
    times(size / 20, (n) => ({ note: 'a 1', bytes: times(64, (m) => (n * m) % 256) })),
  'many lists': (size) => times(size, () => ['token', ['a'], [], ['X-Api-Key', 'b']]),
  'JSON in JSON': (size) => {
    let text = 'jane@example.com';
    while (text.length < size * 10) text = JSON.stringify({ a: text, b: 'x' });
    return text;
  },
  'JSON between text': (size) => 'see {"first_name": "Jane"} '.repeat(size),
  'JSON between text that does not end': (size) => 'see {"a": {"b": [ '.repeat(size),
  'strings between text that do not end': (size) => `{"a\n${'{ "'.repeat(size * 5)}`,
  'text with escaped quotes': (size) => `see ${'{"\\"'.repeat(size * 5)}`,
  'blanks after a brace': (size) => `{${' '.repeat(190)}`.repeat(size / 4),
};

test.each(Object.entries(adversarial))('the work for JSON grows linearly: %s', (_, make) => {
  const using = { detectors: builtinDetectors(), keys: memberRules([{ key: 'a.b', type: 'X' }]) };
  const readOf = (value: unknown) => charactersRead(() => void redactJson(value, using));
  for (const toText of [false, true]) {
    const valueOf = (size: number) => (toText ? `${JSON.stringify(make(size))} ` : make(size));
    expect(readOf(valueOf(1600))).toBeLessThan(8 * readOf(valueOf(400)));
  }
});
