import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactJson } from '../redact-json.ts';
import { memberRules } from '../member-rules.ts';
import { redactText } from '../redact-text.ts';

const detectors = builtinDetectors([
  'PASSWORD',
  'SECRET',
  'PRIVATE_KEY',
  'API_KEY',
  'AUTHORIZATION',
]);
const withoutType = (text: string): string => text.replaceAll(/##[A-Z_]+##/g, '[]');
const redacted = (text: string): string => withoutType(redactText(text, detectors).text);

const K = 'a1B2c3D4e5F6g7H8i9J0k1L2';
const HEX = '4c0883a69102937d6231471b5dbb6204';

/** The values are in guillemets. */
test.each([
  // Tables of the clients of databases.
  ` id | login | password       | plan\n----+-------+----------------+------\n  1 | ann   | «hunter2!xK9» | pro\n(1 row)\n`,
  `+----+-------+----------+\n| id | login | password |\n+----+-------+----------+\n|  1 | ann   | «hunter2» |\n|  2 | bob   | «hunter3» |\n+----+-------+----------+\n`,
  `┌────┬──────────┐\n│ id │ password │\n├────┼──────────┤\n│ 1  │ «hunter2» │\n└────┴──────────┘\n`,
  `┌───────┬──────────┐\n│ login ┆ password │\n│ ---   ┆ ---      │\n│ str   ┆ str      │\n╞═══════╪══════════╡\n│ ann   ┆ «hunter2» │\n└───────┴──────────┘\n`,
  `│ NAME        │ VALUE │\n├─────────────┼───────┤\n│ DB_PASSWORD │ «hunter2!xK9» │\n`,
  `||  SecretAccessKey|  «${K}» ||\n`,
  // Statements of SQL.
  `INSERT INTO users (id, login, password) VALUES (1, 'ann', '«hunter2!x»'), (2, 'bob', '«hunter3!x»');`,
  `INSERT INTO \`app\`.\`clients\` (\`name\`, \`client_secret\`) VALUES\n  ('web, (1)', '«${K}»');`,
  `insert into t (created, "api_key") values (now(), '«${K}»')`,
  // A plan of Terraform.
  `~ password = "«hunter2»" -> "«hunter3»"`,
  // Printers of values.
  `Password: (string) (len=8) "«hunter2x»",`,
  `apiToken = Just "«${K}»"}`,
  `{:db/password "«hunter2#x»" :db/host "a"}`,
  `secret: Some(\n    "«${K}»",\n)`,
  `http-request set-header Authorization Basic\\ «c3ZjOkU3UnJDZlZEUEsyNlFQZDQ=»\n`,
  `$pass = Sensitive('«hunter2x9»')`,
  // Lists of values and arguments.
  `FERNET_KEYS = ['«${K}»', '«${K}x»']`,
  `passwords:\n  - «hunter2!x»\n  - «hunter3!x»\n`,
  `["redis-server", "--requirepass", "«hunter2!x»"]`,
  // Elements within others, and other attributes.
  `<Password><Value>«hunter2!x»</Value></Password>`,
  `<credential name="token"><![CDATA[«${K}]]»></credential>`,
  `<key>SharedSecret</key>\n<data>«${K}»</data>`,
  `<add key="ida:ClientSecret" value="«${K}»" />`,
  `<meta name="csrf-token" content="«${K}»">`,
  // Names.
  `Unseal Key 1: «${K}»\nUnseal Key 2: «${K}»\n`,
  `PresharedKey = «${K}»\n`,
  `"identitytoken": "«${K}»"`,
  `SecretID:         «8e9fce3e-94bc-4f3c-ac7e-6306e4ac420f»\n`,
  `"totp": "«HTGHLN77MH22UAS4A5KOSVYVQ2UCQ6YL»"`,
  `olcRootPW: «hunter2!x»\n`,
  `-----BEGIN OpenVPN Static key V1-----\n${HEX}\n${HEX}\n-----END OpenVPN Static key V1-----\n`,
  `Authorization: Basic «b3BzOkdHekRrTFJrQ2ZtaVNSNHk=»\\r\\n`,
  `proxy_set_header Authorization "Basic «c3ZjOkU3UnJDZlZEUEsyNlFQZDQ=»";`,
  // Messages.
  `Generated password for the elastic user: «X3rU2E6BpU7PW-Fk79Vk»\n`,
  `Use the following password to proceed:\n\n«FYnC/y34!KVdC»\n`,
])('%j', (text) => {
  const marked = /«([^»]*)»/g;
  const plain = text.replaceAll(marked, '$1');
  const expected = text.includes('BEGIN OpenVPN') ? '[]\n' : text.replaceAll(marked, '[]');
  expect(redacted(plain)).toBe(expected);
});

test.each([
  ` id | login | password\n----+-------+----------\n  1 | ann   | text\n`,
  `+----------+-------------+\n| password | varchar(64) |\n+----------+-------------+\n`,
  `│ password │ string │\n`,
  `INSERT INTO users (login, password) VALUES (?, ?), ($1, $2), (:login, :password)`,
  `"INSERT INTO users (login, password) VALUES ('" + login + "', '" + password + "')"`,
  `INSERT INTO users (login, password_hint) VALUES ('ann', 'hunter2')`,
  `INSERT INTO users (login, password) VALUES ('ann')`,
  `PASSWORD_VALIDATORS = ['min:8', 'max:64']`,
  `passwords = ["required", "optional"]`,
  `tokens = ["a1b2c3d4e5"]`,
  `renameIndex('oauth2_access_tokens', 'idx_368a4209a76ed395')`,
  `name        password         uint64\n`,
  `secret_id: users\n`,
  `set password --password "Enter the new password"\n`,
  `the user password was set by the following command:\nuseradd2\n`,
])('no value in %j', (text) => {
  expect(redacted(text)).toBe(text);
});

test.each([
  [{ label: 'pin', type: 'CONCEALED', value: 'hunter2!x' }, 'value'],
  [{ Name: '/prod/orders', Type: 'SecureString', Value: 'hunter2!x' }, 'Value'],
  [{ type: 'password', value: 'hunter2!x', temporary: false }, 'value'],
])('the value of a concealed type in %j', (value, member) => {
  const rules = { detectors: [...builtinDetectors(['PASSWORD'])], keys: memberRules([]) };
  expect(redactJson(value, rules).value).toEqual({ ...value, [member]: '##PASSWORD##' });
  const text = `12:00 ${JSON.stringify(value)} done`;
  expect(redactJson(text, rules).value).toBe(text.replace('hunter2!x', '##PASSWORD##'));
  const other = { ...value, ...('Type' in value ? { Type: 'String' } : { type: 'STRING' }) };
  expect(redactJson(other, rules).value).toEqual(other);
});
