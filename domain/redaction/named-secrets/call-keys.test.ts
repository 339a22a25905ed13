import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';

const detectors = builtinDetectors(['PASSWORD', 'SECRET']);
const redacted = (text: string): string =>
  redactText(text, detectors).text.replaceAll(/##[A-Z_]+##/g, '[]');

const K = 'zBmJ1kiUqI5RP0xWv7TgLd3N';
const HEX = '59386b49098a33f1c7d2e4b6a8091f3e';

test.each([
  `const client = new Client("[${K}]");`,
  `client = OpenAIClient('[${K}]')`,
  `stripe = Stripe("[${K}]")`,
  `g = github.Github("[${K}]")`,
  `const db = createClient("https://x.supabase.co", "[${K}]");`,
  `const index = algoliasearch('A1B2C3D4E5', '[${HEX}]');`,
  `const client = twilio(accountSid, '[${HEX}]');`,
  `const client = require('./client')('[${HEX}]');`,
  `const mail = require('@sendgrid/client')("[${K}]");`,
  `{\\"code\\": \\"new Client(\\\\\\"[${K}]\\\\\\")\\"}`,
  `login("ann", "[s3cr3t!x9]")`,
  `await signIn('ann@example.com', '[s3cr3t!x9]');`,
  `client.connect("id-1", "ann", "[s3cr3t!x9]")`,
  `DBI->connect($dsn, "root", "[S3cretX9z]")`,
])('the value in %s', (text) => {
  const marked = /\[([^\]]*)\]/;
  expect(redacted(text.replace(marked, '$1'))).toBe(text.replace(marked, '[]'));
});

test.each([
  `new Client("https://api.example.com/v1/accounts2")`,
  `new Client("3f9a3f9a-5d1c-4c56-9a3e-1f2d3c4b5a69")`,
  `new Client("projects-europe-west1-backend")`,
  `new ContractClient("0x52908400098527886E0F7030069857D2E4169EE7")`,
  `twilio("AC59386b49098a33f1c7d2e4b6a8091f3e", token)`,
  `client.get("${K}")`,
  `findById("${HEX}")`,
  `require('./table')('${HEX}')`,
  `import("@views/ResetPassword/ResetPasswordStep1")`,
  `createClient(url, "ResetPasswordStep1OfTheView")`,
  `login("ann", "as_admin")`,
  `signal.connect("clicked", "onClick2")`,
  `socket.connect("localhost", "db1.example.com")`,
  `connect("a", "https://b1.example.com/X")`,
])('no value in %s', (text) => {
  expect(redacted(text)).toBe(text);
});
