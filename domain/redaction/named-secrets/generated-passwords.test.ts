import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { createJsonRedactor } from '../redact-json.ts';
import { randomOf } from '../testing/random.ts';

const redact = createJsonRedactor({ detectors: builtinDetectors(), keys: memberRules([]) });

/** The characters of the passwords that managers generate. */
const alphabets: Record<string, string> = {
  'letters and digits': 'A-Za-z\\d',
  'letters, digits and symbols': 'A-Za-z\\d!@#$%^&*',
};

const notations: Record<string, (password: string) => unknown> = {
  'a member': (password) => ({ password }),
  'JSON as text': (password) => JSON.stringify({ user: 'app', password, port: 5432 }),
  'JSON in JSON': (password) => ({ body: JSON.stringify({ password }) }),
  'a setting': (password) => `DB_USER=app\nDB_PASSWORD=${password}\nDB_PORT=5432\n`,
  'a setting in single quotes': (password) => `export DB_PASSWORD='${password}'\n`,
  YAML: (password) => `db:\n  user: app\n  password: ${password}\n  port: 1\n`,
  INI: (password) => `[client]\npassword = ${password}\nhost = db\n`,
  XML: (password) => `<db><password>${password.replaceAll('&', '&amp;')}</password></db>`,
  'an attribute': (password) =>
    `<user name="app" password="${password.replaceAll('&', '&amp;')}"/>`,
  Python: (password) => `connect(host="db", password="${password}", port=1)`,
  JavaScript: (password) => `const config = { user: 'app', password: '${password}' };`,
  PHP: (password) => `define('DB_PASSWORD', '${password}');`,
  SQL: (password) => `CREATE USER app WITH PASSWORD '${password}';`,
  'an option': (password) => `mysql --user=app --password='${password}' db`,
  'a connection string': (password) => `Server=db;User ID=app;Password=${password};Encrypt=True`,
  'a log': (password) => `INFO connect user=app password=${password} host=db`,
  'toString in Java': (password) => `Config[user=app, password=${password}, port=1]`,
  'a struct in Go': (password) => `{User:app Password:${password} Port:1}`,
  'a diff': (password) => `-  password: old\n+  password: ${password}\n`,
  'numbered lines': (password) => `     3\tpassword: ${password}\n     4\tport: 1\n`,
  'a table': (password) => `| user | password |\n| --- | --- |\n| app | ${password} |\n`,
  'a label': (password) => `Username: app\nPassword: ${password}\n`,
  'a label in bold': (password) => `**Password:** ${password}\n`,
  'the second of two passwords': (password) => ({
    password: 'x',
    password_confirmation: password,
  }),
};

/** In these notations, some values need quotes or mean something else. */
const needsQuotes = /^[!#$%&*@^]|[#&]|[!.]$/;
const bare =
  /^(?:a setting|YAML|INI|a connection string|a log|toString in Java|a struct in Go|a diff|numbered lines|a table|a label.*)$/;

const LENGTH = 14;
const PASSWORDS = 150;
const MAX_MISSED = 3;

const passwordsFor = (notation: string, characters: string): string[] => {
  const random = randomOf(7);
  const passwords: string[] = [];
  while (passwords.length < PASSWORDS) {
    const password = random.characters(characters, LENGTH);
    if (!(bare.test(notation) && needsQuotes.test(password))) passwords.push(password);
  }
  return passwords;
};

const cases = Object.keys(notations).flatMap((notation) =>
  Object.keys(alphabets).map((alphabet) => [notation, alphabet] as const),
);

test.each(cases)('generated passwords in %s: %s', (notation, alphabet) => {
  const missed = passwordsFor(notation, alphabets[alphabet] ?? '').filter((password) => {
    const redacted = JSON.stringify(redact({ text: notations[notation]?.(password) }).value);
    const leaks = (part: string): boolean => redacted.includes(part);
    return leaks(password.slice(0, 5)) || leaks(password.slice(-5));
  });
  expect(missed.slice(MAX_MISSED)).toEqual([]);
});
