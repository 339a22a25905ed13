import type { X509Certificate } from 'node:crypto';
import type { CheckedInput } from '../profile-input.ts';
import { commonKeys, type PlistDictionary } from './payload.ts';

export const rootType = 'com.apple.security.root';

/**
 * Trust in the roots that the device's own authority chains to, oldest first. Each is named by its
 * place, not by its content: a tenant whose root was replaced updates the payload that is there,
 * and one that has two roots for a while adds a second payload and later loses it again.
 */
export const rootPayloads = (input: CheckedInput): PlistDictionary[] =>
  input.roots.map((root, i) => rootPayload(input, root, i === 0 ? '' : String(i + 1)));

function rootPayload(input: CheckedInput, root: X509Certificate, place: string): PlistDictionary {
  const print = root.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    ...commonKeys(input, {
      type: rootType,
      name: ['root', place].filter((part) => part !== '').join('-'),
      title: `${input.appName} root certificate ${place}`.trim(),
      description: `Trusts certificates of the ${input.appName} authority of your organization.`,
    }),
    PayloadCertificateFileName: `${print.slice(0, 16)}.cer`,
    PayloadContent: root.raw,
  };
}
