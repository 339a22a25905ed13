import type { X509Certificate } from 'node:crypto';
import type { CheckedInput } from '../profile-input.ts';
import { commonKeys, type PlistDictionary } from './common-keys.ts';

export const ROOT_TYPE = 'com.apple.security.root';

/**
 * Trusts the roots of the tenant's authority, oldest first. Payloads are named by position, not by
 * content: replacing a root updates the existing payload, and a second root adds a payload that is
 * removed again later.
 */
export const rootPayloads = (input: CheckedInput): PlistDictionary[] =>
  input.roots.map((root, i) => rootPayload(input, root, i === 0 ? '' : String(i + 1)));

function rootPayload(
  input: CheckedInput,
  root: X509Certificate,
  position: string,
): PlistDictionary {
  const print = root.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    ...commonKeys(input, {
      type: ROOT_TYPE,
      name: ['root', position].filter((part) => part !== '').join('-'),
      title: `${input.appName} root certificate ${position}`.trim(),
      description: `Trusts certificates of your organization's ${input.appName} authority.`,
    }),
    PayloadCertificateFileName: `${print.slice(0, 16)}.cer`,
    PayloadContent: root.raw,
  };
}
