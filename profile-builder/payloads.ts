import type { X509Certificate } from 'node:crypto';
import type { CheckedInput } from './profile-input.ts';
import { uuidFor } from './uuid.ts';

export type PlistDictionary = { [key: string]: PlistEntry };
export type PlistEntry = string | number | boolean | Uint8Array | PlistEntry[] | PlistDictionary;

export const rootType = 'com.apple.security.root';
export const systemExtensionType = 'com.apple.system-extension-policy';

/** The preference domain that carries the managed configuration, also the proxy extension's id. */
export const managedDomain = (bundleId: string): string => `${bundleId}.proxymonitor`;

/**
 * The keys that every payload has. A device replaces a payload when identifier and UUID are those
 * of one that it has, so both follow from what the payload is, never from chance.
 */
export function commonKeys(
  input: CheckedInput,
  payload: { type: string; name: string; title: string; description: string },
): PlistDictionary {
  const { apiUrl, bundleId, organization } = input;
  return {
    PayloadType: payload.type,
    PayloadVersion: 1,
    PayloadIdentifier: [bundleId, 'profile', payload.name].filter((part) => part !== '').join('.'),
    PayloadUUID: uuidFor(`${apiUrl} ${bundleId} ${payload.name}`),
    PayloadDisplayName: payload.title,
    PayloadDescription: payload.description,
    ...(organization === undefined ? {} : { PayloadOrganization: organization }),
  };
}

/** Trust in the root that the device's own authority chains to. */
export function rootPayload(input: CheckedInput, root: X509Certificate): PlistDictionary {
  const print = root.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    ...commonKeys(input, {
      type: rootType,
      name: `root.${print}`,
      title: `${input.appName} root certificate`,
      description: `Trusts certificates of the ${input.appName} authority of your organization.`,
    }),
    PayloadCertificateFileName: `${print.slice(0, 16)}.cer`,
    PayloadContent: root.raw,
  };
}

/**
 * Lets the two network extensions load without a prompt. They are named one by one, and the team
 * therefore stays out of AllowedTeamIdentifiers: macOS refuses a payload that has it in both.
 * User overrides stay allowed, since forbidding them would block the extensions of other products.
 */
export function systemExtensionPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId } = input;
  return {
    ...commonKeys(input, {
      type: systemExtensionType,
      name: 'system-extensions',
      title: `${appName} system extensions`,
      description: `Lets the network extensions of ${appName} load.`,
    }),
    AllowUserOverrides: true,
    AllowedSystemExtensions: { [teamId]: [managedDomain(bundleId), `${bundleId}.flowmonitor`] },
    AllowedSystemExtensionTypes: { [teamId]: ['NetworkExtension'] },
  };
}

/** What the agent reads from its managed preferences. */
export function managedConfigPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, apiUrl, apiKey, hosts, processes } = input;
  return {
    ...commonKeys(input, {
      type: managedDomain(bundleId),
      name: 'managed-config',
      title: `${appName} configuration`,
      description: `Tells ${appName} where its service is.`,
    }),
    api_url: apiUrl,
    api_key: apiKey,
    capture_enabled: hosts.length > 0,
    intercept_hosts: hosts,
    intercept_processes: processes,
  };
}
