import { builtinDetectors } from '#agent/core/redaction/builtin.ts';
import { keyRules } from '#agent/core/redaction/key-rules.ts';
import { redactJson } from '#agent/core/redaction/redact-json.ts';

/**
 * Members that hold secrets, whatever these look like. Not `key`: rules of masking have such
 * members; keys of ours and of well-known services are known by their shape.
 */
const SECRET_NAMES = [
  'password',
  'new password',
  'old password',
  'current password',
  'password hash',
  'passphrase',
  'secret',
  'client secret',
  'secret key',
  'api key',
  'api secret',
  'private key',
  'token',
  'access token',
  'refresh token',
  'id token',
  'bearer token',
  'authorization',
  'cookie',
  'set cookie',
  'x svc key',
  'credentials',
  'hash',
];

const spellings = (name: string): string[] => [
  ...new Set(['_', '-', ''].map((between) => name.replaceAll(' ', between))),
];

const rules = {
  detectors: builtinDetectors([
    'PRIVATE_KEY',
    'JWT',
    'API_KEY',
    'AUTHORIZATION',
    'URL_CREDENTIALS',
  ]),
  keys: keyRules(SECRET_NAMES.flatMap(spellings).map((key) => ({ key, type: 'SECRET' }))),
};

/**
 * The value without secrets: `##SECRET##` for what stands under a name that holds them, and a
 * placeholder such as `##API_KEY##` for what looks like one, also within texts.
 */
export const withoutSecrets = <T>(value: T): T => redactJson(value, rules).value;
