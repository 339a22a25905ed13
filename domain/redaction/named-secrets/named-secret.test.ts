import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';
import { secretKindOf } from './secret-names.ts';

const detectors = builtinDetectors(['PASSWORD', 'SECRET']);
const redacted = (text: string): string =>
  redactText(text, detectors).text.replaceAll(/##[A-Z_]+##/g, '[]');

const K = 'a1B2c3D4e5F6g7H8i9J0k1L2';
const GENERATED = 'a1B2~k-:?@SNMX*iu-F~S+ImbD6ERx5Sop0DM1n|s_nE@zx9k6hLvp!kWJ:fzA|1P';

test.each([
  'WEBHOOK_HMAC_KEY',
  'secret_key_base',
  'JWT_SIGNING_KEY',
  'ENCRYPTION_KEY',
  'FERNET_KEY',
  'PEPPER',
  'cookieSecret',
  'client-key-data',
  'hash_salt',
  'JWT_SIGNING',
  'code_verifier',
  'device_code',
  'SAMLResponse',
  'SERVERSECRETKEY',
  'wep_key0',
  'routing_key',
])('%s names a secret', (name) => {
  expect(secretKindOf(name)).toBe('secret');
});

test.each([
  'DB_PASS_RO',
  'db_password_readonly',
  'requirepass',
  'storepass',
  'root_pass',
  'wpa_psk',
  'snmp_ro_community',
  'snmpCommunity',
  'SNMP_COMMUNITY_STRING',
  'password_confirmation',
  'passwordConfirm',
  'passwordAgain',
  'password_hash',
])('%s names a password', (name) => {
  expect(secretKindOf(name)).toBe('password');
});

test.each([
  'SALT',
  'password_salt',
  'client_data',
  'key_data_size',
  'bypass',
  'community',
  'community_id',
  'compass',
  'public_key_base',
  'primary_key',
])('%s names no secret', (name) => {
  expect(secretKindOf(name)).toBeUndefined();
});

/** The value is in brackets. */
describe.each([
  [
    'comparisons, arrows and namespaces',
    [
      `if (req.headers['x-api-key'] === '[${K}]') next();`,
      `if ($http_x_secret != "[${K}]") { return 403; }`,
      `- Password → [hunter783#lantern]`,
      `profile::db::password: '[hunter_9KOyntW.4lWnM]'`,
      `LoginRequest(username=mary, password=[hunter_velvet_470], port=1)`,
    ],
  ],
  [
    'literals of programming languages',
    [
      `$config = ['db' => ['password' => '[hunter2]']];`,
      `define('DB_PASSWORD', '[hunter-2!xK9]');`,
      `{ :password => "[hunter2]", password: '[hunter2]' }`,
      `Config{Password: "[hunter2]", APIToken: "[${K}]"}`,
      `Config { password: "[hunter2]".to_string() }`,
      `password: String::from("[hunter2]"),`,
      `let secret = Some("[${K}]");`,
      `var jwtSecret = []byte("[${K}]")`,
      `var password = @"[hunter2]";`,
      `const string Password = "[hunter2]";`,
      `val password: String = "[hunter2]"`,
      `let clientSecret: String = "[${K}]"`,
      `var password = new SecureString("[hunter2]")`,
      `$password = ConvertTo-SecureString "[hunter2]" -AsPlainText -Force`,
      `password = """[hunter2]"""`,
      `password = """\n[hunter2]\n"""`,
      `"{\\\\\\"api_key\\\\\\":\\\\\\"[${K}]\\\\\\"}"`,
    ],
  ],
  [
    'settings',
    [
      `password: |\n  [hunter2\n  and more]\nother: 1`,
      `app:\n  api_token: >-  # of the test system\n    [${K}]\n  other: 1`,
      `- "db_password": |2-\r\n    [hunter2]\r\n- x: 1`,
      `db_password = <<EOT\n[hunter2]\nEOT\n`,
      `spring.datasource.password=[hunter2]`,
      `[mysql]\npassword = [hunter2x9]\n`,
      `password = "[hunter2]" # TOML`,
      `DB_PASS_RO=[hunter2]`,
      `SNMP_COMMUNITY=[hunter2x9]`,
      `requirepass [hunter2x9]\nport 6379`,
      `${'SERVICE_'.repeat(8)}DB_PASSWORD=[hunter2&x9;y8]\nother=1`,
      `A=1\nexport ${'app.'.repeat(40)}password=[hunter2&x9]`,
      `db_name            = "app"\ndb_password        = "[hunter2x9]"\n`,
      `\tUsername:    "app",\n\tPassword:    "[hunter2x9]",\n`,
      `define('AUTH_KEY',         '[${GENERATED}]');`,
      `ETH_PRIVATE_KEY=[0x${'3f9a7c1e'.repeat(8)}]`,
      `Driver={ODBC Driver 18};Server=db;UID=sa;PWD={[hunter;2x9]}`,
      `Driver={ODBC Driver 18};Server=db;UID=sa;PWD={[hunter]}`,
      `<password>[hunter]</password>`,
      `FROM node\nENV DB_PASSWORD [hunter]`,
      `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=[${K}=]`,
      `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=[${K}==];EndpointSuffix=x`,
      `jdbc:postgresql://db/app?user=app&password=[hunter2]`,
    ],
  ],
  [
    'calls and commands',
    [
      `source.setPassword("[hunter2]");`,
      `builder.user("app").password("[hunter2]")`,
      `Client.builder().withApiKey("[${K}]").build()`,
      `client.set_access_token('[${K}]')`,
      `keytool -genkey -keypass [hunter2x9]`,
      `Connect-Service -User app -Password '[hunter2]'`,
      `aws configure set aws_secret_access_key [${K}] --profile x`,
      `git config --global github.token [${K}]`,
      `az keyvault secret set --vault-name v --name DbPassword --value "[hunter2]"`,
      `aws ssm put-parameter --name /app/db_password --type SecureString --value '[hunter2]'`,
      `child.expect('password:')\nchild.sendline('[hunter2]')`,
      `driver.find_element(By.ID, "password").send_keys("[hunter2]")`,
      `cy.get('input[name=password]').type('[hunter2]')`,
    ],
  ],
  [
    'SQL',
    [
      `CREATE USER app WITH PASSWORD '[hunter2]';`,
      `ALTER ROLE app WITH LOGIN ENCRYPTED PASSWORD '[hunter2]' VALID UNTIL 'infinity'`,
      `create login app with password = N'[hunter2]'`,
      `SET PASSWORD FOR 'app'@'%' = '[hunter2]'`,
      `SET PASSWORD = PASSWORD('[hunter2]')`,
      `ALTER USER scott IDENTIFIED BY "[hunter2]";`,
      `alter user 'a'@'%' identified with caching_sha2_password by '[hunter2]'`,
      `db.internal:6432:*:app:[hunter2]\n*:*:*:app:[hunter2]\n`,
    ],
  ],
])('%s', (_, texts) => {
  test.each(texts)('%s', (text) => {
    expect(redacted(text.replaceAll(/\[((?:hunter|a1B2|0x)[^\]]*)\]/g, '$1'))).toBe(
      text.replaceAll(/\[(?:hunter|a1B2|0x)[^\]]*\]/g, '[]'),
    );
  });
});

test.each([
  'password: |\n  ${DB_PASSWORD}\n',
  'SNMP_COMMUNITY=public',
  'snmp_community: "private"',
  'password: |\nother: hunter2',
  '    password: |\n  description: hunter2',
  'password: >\n  The password of the user\n',
  'UID={user};PWD={password}',
  'UID={user};PWD={settings.db_pass}',
  'source.getPassword("db-password-1")',
  'page.getByLabel("Password")',
  'findByToken("a1B2c3D4e5F6g7H8")',
  '.password("Enter a password")',
  't.pass("finish emitted")',
  'ask_password("Password: ")',
  'hash(password, "sha256")',
  'Buffer.from(password, "base64")',
  "SELECT password FROM users WHERE name = 'x1y2z3w4'",
  "the password 'field2' is required",
  'variable "db_password" {\n  type = string\n}\nvariable "region" {\n  default = "eu-west-1"\n}',
  'aws ssm get-parameter --name /app/db_password --with-decryption',
  'a -password field',
  'the --user and --password options',
  'case "GetToken":\n\t\t\t\ttokenCounter++\n',
])('no value in %j', (text) => {
  expect(redacted(text)).toBe(text);
});
