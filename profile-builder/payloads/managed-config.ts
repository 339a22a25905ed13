import type { CheckedInput } from '../profile-input.ts';
import { proxyExtension, commonKeys, type PlistDictionary } from './common-keys.ts';

/**
 * The preference domain of the managed configuration, which is the type of its payload: the bundle
 * id of the proxy extension.
 */
export const preferenceDomain = proxyExtension;

/** Settings that the agent reads from its managed preferences. */
export function managedConfigPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, apiUrl, apiKey, hosts, processes } = input;
  return {
    ...commonKeys(input, {
      type: preferenceDomain(bundleId),
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
