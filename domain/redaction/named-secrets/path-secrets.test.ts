import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { redactText } from '../redact-text.ts';

const detectors = builtinDetectors(['PASSWORD', 'SECRET']);
const redacted = (text: string): string =>
  redactText(text, detectors).text.replaceAll(/##[A-Z_]+##/g, '[]');

const TOKEN = 'Zk3f9Qx7LmPq2RtYv8Wn';
const HEX = '8f3a9b2c1d4e5f60718293a4b5c6d7e8';
const UUID = '3f9a3f9a-5d1c-4c56-9a3e-1f2d3c4b5a69';

test.each([
  `GET /reset-password/[${HEX}] HTTP/1.1`,
  `https://app.example.com/users/password/reset/[${TOKEN}]?email=a`,
  `(https://app.example.com/verify-email/[${TOKEN}])`,
  `/email/verify/[${TOKEN}]/done`,
  `/magic-link/[${UUID}]`,
  `/reset_password/[${UUID}]`,
  `https://api.example.com/token/[${TOKEN}]/info`,
  `"https:\\/\\/api.example.com\\/access-token\\/[${TOKEN}]"`,
  `/api-key/[${TOKEN}]`,
  `/invite/[${TOKEN}]`,
  `/verify/[${TOKEN}%3D]`,
  `https://x.example/password/[hunter2!x].`,
])('the value in %s', (text) => {
  const marked = /\[([^\]]*)\]/;
  expect(redacted(text.replace(marked, '$1'))).toBe(text.replace(marked, '[]'));
});

test.each([
  'POST /token/refresh, /password/reset, /token/:id, /token/{token}',
  `/token/${UUID} /invite/${UUID} /tokens/${TOKEN}`,
  '/verify/5f43a1b2c3d4e5f6a7b8c9d0',
  'https://etherscan.io/token/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'https://solscan.io/token/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  '/password/how-to-change-your-password-2',
  '/password/passwordChangeDialog2',
  'src/token/tokenParserHelpers2.spec.ts',
  'src/token/index-a1B2c3D4e5F6g7.js',
  '/secret/kubernetes-production-config2',
  'https://x.example/password/hunter2',
  'https://x.example/password/{user}@{host}1',
  `https://x.example/posts/${TOKEN}`,
])('no value in %s', (text) => {
  expect(redacted(text)).toBe(text);
});
