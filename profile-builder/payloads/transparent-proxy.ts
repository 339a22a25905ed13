import type { CheckedInput } from '../profile-input.ts';
import {
  codeRequirement,
  proxyExtension,
  commonKeys,
  type PlistDictionary,
} from './common-keys.ts';

/**
 * Configures the transparent proxy, so that the app need not ask the user. The app starts the proxy
 * when capture is on for at least one host. On demand, it would also run without hosts to divert.
 */
export function transparentProxyPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId } = input;
  const extension = proxyExtension(bundleId);
  return {
    ...commonKeys(input, {
      type: 'com.apple.vpn.managed',
      name: 'transparent-proxy',
      title: `${appName} transparent proxy`,
      description: `Lets ${appName} inspect connections to hosts with capture enabled.`,
    }),
    VPNType: 'TransparentProxy',
    VPNSubType: bundleId,
    UserDefinedName: appName,
    TransparentProxy: {
      // The default is a packet tunnel.
      ProviderType: 'app-proxy',
      ProviderBundleIdentifier: extension,
      ProviderDesignatedRequirement: codeRequirement(extension, teamId),
      // This key is missing in Apple's schema, but present in Apple's example. The proxy runs on
      // the device itself.
      RemoteAddress: '127.0.0.1',
      OnDemandEnabled: 0,
    },
  };
}
