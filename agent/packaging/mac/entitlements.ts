import { build } from 'plist';

export interface SigningIds {
  teamId: string;
  bundleId: string;
}

/** The kinds of code that are signed separately. The Electron helpers need no provisioning profile. */
export type CodeKind = 'app' | 'electron-helper' | 'flowmonitor' | 'proxymonitor';

type Entitlements = Record<string, boolean | string | string[]>;

/** Allows V8 to compile at run time under the hardened runtime. */
const justInTime = { 'com.apple.security.cs.allow-jit': true };

/** The provider types for Developer ID; in the App Store they lack the suffix `-systemextension`. */
const CONTENT_FILTER = 'content-filter-provider-systemextension';
const TRANSPARENT_PROXY = 'app-proxy-provider-systemextension';

const perKind: Record<CodeKind, (ids: SigningIds) => Entitlements> = {
  app: (ids) => ({
    ...justInTime,
    ...identity(ids, ids.bundleId),
    'com.apple.developer.system-extension.install': true,
    'com.apple.developer.networking.networkextension': [CONTENT_FILTER, TRANSPARENT_PROXY],
  }),
  'electron-helper': () => justInTime,
  flowmonitor: (ids) => ({
    ...identity(ids, `${ids.bundleId}.flowmonitor`),
    'com.apple.developer.networking.networkextension': [CONTENT_FILTER],
  }),
  proxymonitor: (ids) => ({
    ...identity(ids, `${ids.bundleId}.proxymonitor`),
    'com.apple.developer.networking.networkextension': [TRANSPARENT_PROXY],
  }),
};

/** The identity of the code; the app and its extensions share one application group. */
const identity = ({ teamId, bundleId }: SigningIds, own: string): Entitlements => ({
  'com.apple.application-identifier': `${teamId}.${own}`,
  'com.apple.developer.team-identifier': teamId,
  'com.apple.security.application-groups': [`${teamId}.${bundleId}`],
});

/**
 * The entitlements of one kind of code, as an XML property list. They omit the camera, the microphone
 * and others in the examples of Electron, which the agent does not use.
 */
export const entitlementsOf = (kind: CodeKind, ids: SigningIds): string =>
  `${build(perKind[kind](ids))}\n`;
