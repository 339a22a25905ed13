import type { CheckedInput } from '../profile-input.ts';
import {
  codeRequirement,
  proxyExtension,
  commonKeys,
  type PlistDictionary,
} from './common-keys.ts';

/**
 * Configures the transparent proxy, so that the app need not ask the user. The app starts it when
 * capture is on for some host; on demand it would also run with nothing to divert.
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
      // Not in Apple's schema, but in Apple's example; the proxy is on the device itself.
      RemoteAddress: '127.0.0.1',
      OnDemandEnabled: 0,
    },
  };
}
