import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { memberRules } from '#domain/redaction/member-rules.ts';
import { redactJson } from '#domain/redaction/redact-json.ts';

/**
 * Names of members that hold secrets, regardless of their values. `key` is not listed, because
 * masking rules have such members, and keys of ours and of well-known services are recognized by
 * their format.
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
  keys: memberRules(SECRET_NAMES.flatMap(spellings).map((key) => ({ key, type: 'SECRET' }))),
};

/**
 * Masks secrets in a value: `##SECRET##` for members with a secret name, and a placeholder such as
 * `##API_KEY##` for recognized secrets, also within text.
 */
export const withoutSecrets = <T>(value: T): T => redactJson(value, rules).value;
