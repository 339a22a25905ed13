import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';

const detectors = builtinDetectors(['PASSWORD', 'SECRET']);
const redacted = (text: string): string =>
  redactText(text, detectors).text.replaceAll(/##[A-Z_]+##/g, '[]');

const K = 'a1B2c3D4e5F6g7H8i9J0k1L2';

/** The values are in brackets. */
test.each([
  `user,password,role\nann,[hunter],admin\nbob,[swordfish],guest\n\npassword list`,
  `"user","password","role"\r\n"ann","[hunter,2]","admin"\r\n"bob","[sword""fish]","guest"\r\n`,
  `id;api_key;user password\n7;[${K}];[hunter2]\n8;;\n9;[${K}];[hunter3]`,
  'First Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Change Password at Next Sign-In\nAnn,a@example.com,[hunter2!x],,TRUE\n',
  'version:v1.0\nName [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required\nAnn,ann@example.com,[hunter2!x],No\n',
  'Export,2031\nname,password\nann,[hunter2]\n',
  `name\ttoken\nci\t[${K}]\n`,
  `see:\n| user | password |\n|---|---|\n| ann | [hunter-2!xK9] |\n| bob | \`[hunter-3!xK9]\` |\n\nend`,
])('%j', (text) => {
  const marked = /\[(hunter[^\]]*|sword[^\]]*|a1B2[^\]]*)\]/g;
  expect(redacted(text.replaceAll(marked, '$1'))).toBe(text.replaceAll(marked, '[]'));
});

test.each([
  'user,password,role\nstring,string,string\n',
  'Enter your user name, password, and address.\nThen click, wait, and hunter2.\n',
  'f(\n  user,\n  password,\n  hunter2,\n)',
  'SELECT name, password, role\nFROM users, a1b2c3d4, roles\nWHERE x',
  '| method | password | token |\n| --- | --- | --- |\n| supported | yes | no |\n',
  '| field | password |\n|---|---|\n| rule | at least 8 characters |\n',
  'password\tstring\nuser\tstring\n',
  "type Kind =\n  | 'password'\n  | 'token1234'\n",
  'user,password\nann,hunter2,admin\n',
  'rfc2868\tTunnel-Type\nrfc2868\tTunnel-Group\nrfc2868\tTunnel-Password\nrfc2868\tTunnel-ID-2\n',
  'draft-kamath-pppext-eap-mschapv2-00\tChange-Password\npppext-eap-sim-12\tEAP-Request-2\n',
  'f(items[0], password)\ng(items[1], hunter2)\n',
  'ALIAS\tTP-Password\t26.18681.6\nALIAS\tTP-User-Agent2\t26.18681.7\n',
  '| model | token |\n|---|---|\n| a | 977257606 |\n',
])('no value in %j', (text) => {
  expect(redacted(text)).toBe(text);
});

/** A name and its value in each row. */
test.each([
  `service,variable,value\ndatadog,DD_API_KEY,[${K}]\nredis,REDIS_PASSWORD,[hunter2!x]\n`,
  `12\tuser,app\n13\tpassword,[hunter2!x]\n`,
  `"password","[hunter2!x]"\n"port","22"\n`,
  `key;value\npassword;[hunter2!x]`,
  `| password | [hunter2!] |`,
  `| **Password:** | [hunter2x9] |\n| Port | 22 |`,
  `| API key | [${K}] |`,
  '| `DB_PASSWORD` | `[hunter]` |',
  `|user|app|\n|password|[hunter2x9]|\n`,
  `<tr>\n  <th>API token:</th>\n  <td class="v"><code>[${K}]</code></td>\n</tr>`,
  `<dt>Password</dt>\n<dd>[hunter2x9]</dd>`,
  `<strong>Password</strong>: [hunter2x9]\n`,
  `<p>Password: <code>[hunter2x9]</code></p>`,
])('%j', (text) => {
  const marked = /\[(hunter[^\]]*|a1B2[^\]]*)\]/g;
  expect(redacted(text.replaceAll(marked, '$1'))).toBe(text.replaceAll(marked, '[]'));
});

test.each([
  'user,password,street1\n',
  'VALUE\tClient-PSK\tNO-Attach-Message-Authentication 0\nVALUE\tClient-PSK\tDefault Key 10\n',
  'username,\npassword,\nhunter2,\n',
  'name,password\nstring,varchar(255)\n',
  '    password,\n    hunter22);',
  '| password | bcrypt |\n',
  '| password | required! |',
  '| token | string |',
  '|password|8-64|',
  '<td>Password</td><td>String</td>',
  '<td>Password</td><td>at least 8</td>',
  '<td>Token</td><td>{{ token }}</td>',
  '<b>Password:</b> required<br>',
  '<label>Password:</label>\n<input name="a1b2c3">',
  'Vec<Password>: From12x<T>',
])('no value beside its name in %j', (text) => {
  expect(redacted(text)).toBe(text);
});
