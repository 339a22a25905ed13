import { expect, test } from 'vitest';
import { isCode } from './code-value.ts';
import { isName } from './names.ts';
import { builtinDetectors } from './builtin.ts';
import { redactText } from './redact-text.ts';

const detectors = builtinDetectors([
  'API_KEY',
  'PASSWORD',
  'SECRET',
  'AUTHORIZATION',
  'URL_CREDENTIALS',
]);

test.each([
  ['accessToken', true],
  ['OAuth2AccessToken', true],
  ['HTTPServerError', true],
  ['get_user_name', true],
  ['csrfToken', true],
  ['mqzPTkvOwBxRnLsE', false],
  ['llz1ktjH1w1hzNkvuskvmvak', false],
  ['JBSWY3DPEHPK3PXP', false],
  ['kjerht2309u', false],
])('whether %s is a name: %s', (text, expected) => {
  expect(isName(text)).toBe(expected);
});

test.each([
  ['base64.encodebytes(x).decode()', true],
  ['tokens[i]', true],
  ['windows_sys::core::PCWSTR', true],
  ['::SecretStr', true],
  ['new(big.Int).SetBytes(h)', true],
  ['req.body?.csrfToken', true],
  ['!(status', false],
  ['!(error.statusCode', true],
  ['Vec<u8>', true],
  ['42u8', true],
  ['/sk-[a-z]{32}/g', true],
  ['this.options.apiKey', true],
  ['CancelToken$1', true],
  ['s3cr(e)t;1', false],
  ['Xy9(zQ!', false],
  ['mF_9.B5f-4.1JqM', false],
  ['ya29.a0AfH6SMBx9', false],
])('whether %s is code: %s', (text, expected) => {
  expect(isCode(text)).toBe(expected);
});

test.each([
  'auth = base64.encodebytes(x).decode()',
  'const token = tokens[index]',
  'api_key: SecretStr = Field()',
  "password: 'Passwort', login: 'Anmelden'",
  "'current_password' => 'contraseña actual',",
  '"Forgot your password?": "Mot de passe oublié ?"',
  "{ token: 'punctuation', byPass: 'enabled' }",
  'cases: { token: "keyword.$0" }',
  'this.refreshToken = refreshToken;',
  'ERR_INVALID_TOKEN = "InvalidTokenException"',
  'const opGetSessionToken = "GetSessionToken"',
  'let password: windows_sys::core::PCWSTR, port: u32',
  'passwords: string[]; accessToken: SensitiveString;',
  'crate::token::TokenKind and arn:aws:secretsmanager:eu-west-1:123456789012:secret:App-1a2b3c',
  "scryptSync(password, 'salt', 64)",
  "const [auth, kind] = [$username, $password, 'digest'];",
  "type: isHidden ? 'password' : 'textual'",
  'docker run -v "$PWD:/app:ro" node',
  'BindAuthenticator.emptyPassword=Credenciales err\\u00F3neas',
  'badCredentials=\\u041D\\u0435\\u0432\\u0435\\u0440\\u043D\\u044B\\u0435',
  '| `PASSWORD` | Base64-encoded password of the user |',
  'password: "required|string|min:16"',
  'authorization: "https://login.example.com/oauth2/authorize?scope=profile"',
  'headers: { Authorization: authorizationHeader, apiKey: (_apiKey != null) }',
  'Authorization: `Bearer ${this.client.apiKey}`',
  'mongodb://%s:%s@host and https://${user}:${TOKEN}@example.com and redis://:***@cache',
  '[settings]\npassword=Senha\navatar=Avatar',
  '$token = Minz_Request::paramString($name);',
  '"en_PW": "en_001", "PW": "EPalau"',
  'err := s.PredefinedLoadMetricType; topology.s.serverSelectionTimeoutMS',
  'const CertAlgo = "sk-ssh-ed25519-cert-v01@openssh.com"',
  '"next-auth": "^4.24.15", "pbkdf2-password": "1.2.1"',
  'Configure --password before you start; with --pass flags you can',
])('nothing in %s is a secret', (text) => {
  expect(redactText(text, detectors).text).toBe(text);
});

test.each([
  ['setenv("DB_PASSWORD", "blue-horse-lamp-65")', 'blue-horse-lamp-65'],
  ['password: "correct horse battery staple"', 'correct horse battery staple'],
  ['PASSWORD=Ab(cd)9!x', 'Ab(cd)9!x'],
  ['--set auth.password=secretpassword,auth.user=x', 'secretpassword'],
  ['secret_key: minio123', 'minio123'],
  ['const token = "7f3k2m9x8q1w5e4r";', '7f3k2m9x8q1w5e4r'],
  ['openssl pkcs12 -passin pass:notasecret', 'notasecret'],
  ['token: AbCdEfGhIjKlMnOpQrSt', 'AbCdEfGhIjKlMnOpQrSt'],
  ['PGPASSWORD=Tr0ub4dor psql -h db', 'Tr0ub4dor'],
  ['password=hunter22 and so on', 'hunter22'],
])('the secret in %s is found', (text, secret) => {
  expect(redactText(text, detectors).text).not.toContain(secret);
});
