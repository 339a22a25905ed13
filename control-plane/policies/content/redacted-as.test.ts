import { expect, test } from 'vitest';
import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { memberRules } from '#domain/redaction/member-rules.ts';
import { redactJson } from '#domain/redaction/redact-json.ts';
import { credentialChecks, personalDataChecks } from './checks.ts';
import {
  type Credential,
  credentialNames,
  type PersonalData,
  personalDataNames,
} from './named-detectors.ts';

const join = (...parts: string[]): string => parts.join('');

/** A sample text for each name that policies detect. */
const samples: Record<PersonalData | Credential, string> = {
  ssn: 'my ssn is 536-22-8726',
  email: 'write to jane@example.com',
  phone: 'call +1 415 555 2671',
  credit_card: 'card 4111 1111 1111 1111',
  iban: 'to DE89 3704 0044 0532 0130 00',
  national_id: 'NINO AB123456C',
  ip_address: 'host 203.0.113.77 answers',
  github_pat: join('gh', 'p_16C7e42F292c6912E7710c838347Ae178B4a'),
  aws_key: join('AKIA', 'Z3MGNRTUQ7WXY5KB'),
  svc_key: join('svc_', 'sk_9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c'),
  password: 'password=Tr0ub4dor&3x',
  api_key: 'api_key=9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c',
  secret: 'client_secret: 9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c',
  token: join('access_token=', '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c'),
  private_key: join(
    '-----BEGIN ',
    'PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----',
  ),
  jwt: join(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.',
    'eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ),
  authorization: 'Authorization: Bearer 9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c',
  url_credentials: 'https://jane:Tr0ub4dor3x@example.com/x',
};

const checks = [...personalDataChecks(personalDataNames), ...credentialChecks(credentialNames)];

test.each(Object.entries(samples))('a device redacts %s under the listed types', (name, text) => {
  const check = checks.find(({ matched }) => matched === name);
  expect(check?.isIn({ member: null, text })).toBe(true);
  const { counts } = redactJson(text, { detectors: builtinDetectors(), keys: memberRules([]) });
  expect(Object.keys(counts).filter((type) => check?.redactedAs.includes(type))).not.toEqual([]);
});
