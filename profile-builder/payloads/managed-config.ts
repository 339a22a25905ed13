import type { CheckedInput } from '../profile-input.ts';
import { proxyExtension, commonKeys, type PlistDictionary } from './common-keys.ts';

/** The preference domain of the managed configuration is the payload's type. */
export const managedDomain = proxyExtension;

/** Settings that the agent reads from its managed preferences. */
export function managedConfigPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, apiUrl, apiKey, hosts, processes } = input;
  return {
    ...commonKeys(input, {
      type: managedDomain(bundleId),
      name: 'managed-config',
      title: `${appName} configuration`,
      description: `Configures the service address of ${appName}.`,
    }),
    api_url: apiUrl,
    api_key: apiKey,
    capture_enabled: hosts.length > 0,
    intercept_hosts: hosts,
    intercept_processes: processes,
  };
}
