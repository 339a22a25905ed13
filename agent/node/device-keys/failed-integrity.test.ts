import { expect, test } from 'vitest';
import { hasFailedIntegrity } from './tpm-sealer.ts';

test.each([
  // As printed by versions 5.4 and later; the first has this error in the name.
  ['ERROR: Eys_Load(0x1DF) - tpm:parameter(1):integrity check failed', true],
  ['ERROR: Esys_Load(0x1df) - tpm:parameter(1):integrity check failed', true],
  // Another object, lockout, no memory for objects, a retry, an error of a session.
  ['ERROR: Esys_ContextLoad(0x1DF) - tpm:parameter(1):integrity check failed', false],
  ['ERROR: Esys_Load(0x921) - tpm:warn(2.0): authorizations for objects are in lockout', false],
  ['ERROR: Esys_Load(0x902) - tpm:warn(2.0): out of memory for object contexts', false],
  ['ERROR: Esys_Load(0x922) - tpm:warn(2.0): the TPM was not able to start the command', false],
  ['ERROR: Esys_Load(0x98E) - tpm:session(1):the authorization HMAC check failed', false],
  ['ERROR: Could not load tcti, got: "device:/dev/tpmrm0"', false],
  ['', false],
])('%j: another TPM has sealed it: %s', (messages, expected) => {
  expect(hasFailedIntegrity(messages)).toBe(expected);
});
