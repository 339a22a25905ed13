import { build } from 'plist';

export interface SigningIds {
  teamId: string;
  bundleId: string;
}

/** Code that is signed on its own. What Electron's helper processes need, they need no profile for. */
export type CodeKind = 'app' | 'electron-helper' | 'flowmonitor' | 'proxymonitor';

type Entitlements = Record<string, boolean | string | string[]>;

/** V8 compiles at run time, which the hardened runtime forbids unless asked. */
const justInTime = { 'com.apple.security.cs.allow-jit': true };

/** The provider kinds as Developer ID spells them; the App Store leaves out `-systemextension`. */
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

/** Whose code it is; the app and its extensions meet in one group. */
const identity = ({ teamId, bundleId }: SigningIds, own: string): Entitlements => ({
  'com.apple.application-identifier': `${teamId}.${own}`,
  'com.apple.developer.team-identifier': teamId,
  'com.apple.security.application-groups': [`${teamId}.${bundleId}`],
});

/**
 * The entitlements of one kind of code, as an XML property list. Camera, microphone and the like,
 * which Electron's own examples carry, are in none: the agent uses none of them.
 */
export const entitlementsOf = (kind: CodeKind, ids: SigningIds): string =>
  `${build(perKind[kind](ids))}\n`;
