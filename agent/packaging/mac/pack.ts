import { join } from 'node:path';
import { type AfterPackContext, Arch, build, type Configuration, Platform } from 'electron-builder';
import { commonConfig, removeDefaultApp } from '../builder-config.ts';
import type { Credentials } from '../credentials.ts';
import type { StagedApp } from '../electron-app.ts';
import { setFuses } from '../fuses.ts';
import type { SigningIds } from './entitlements.ts';
import { infoPlistAdditions, cleanInfoPlist } from './info-plist.ts';
import { addParts, EXTENSION_TOOL_NAME, type MacParts } from './parts.ts';
import { signParts, writeEntitlements } from './sign-parts.ts';

export interface MacPacking {
  staged: StagedApp;
  appName: string;
  ids: SigningIds;
  parts: MacParts;
  /** Where the app comes to lie. */
  output: string;
  /** For what is written on the way. */
  work: string;
  electronFolder: string | null;
  /** Nothing is signed where there are none. */
  credentials: Credentials | null;
  /**
   * `universal` joins what Electron publishes for either processor, with Apple's lipo. Where that is
   * not to be had, the Electron in `electronFolder` is taken as it is.
   */
  universal: boolean;
}

/** Packs the app bundle with electron-builder. Answers where it is. */
export async function packMacApp(packing: MacPacking): Promise<string> {
  const arch = packing.universal ? Arch.universal : Arch.arm64;
  let app = '';
  const afterPack = async (context: AfterPackContext): Promise<void> => {
    // Of a universal app the halves are packed first; they are joined before anything is added.
    if (context.arch !== arch) return;
    app = join(context.appOutDir, `${context.packager.appInfo.productFilename}.app`);
    await finishBundle(app, packing);
  };
  await build({
    projectDir: packing.staged.app,
    targets: Platform.MAC.createTarget('dir', arch),
    config: { ...macConfig(packing), afterExtract: removeDefaultApp, afterPack },
    publish: 'never',
  });
  return app;
}

/** What electron-builder cannot do or does otherwise; all of it before the app is signed. */
async function finishBundle(app: string, { parts, credentials, ids, work }: MacPacking) {
  cleanInfoPlist(join(app, 'Contents/Info.plist'));
  await setFuses(app);
  const added = addParts(app, parts);
  if (credentials) await signParts(added, { ids, credentials, folder: work });
}

function macConfig(packing: MacPacking): Configuration {
  const { staged, appName, ids, output, electronFolder, credentials } = packing;
  return {
    ...commonConfig(staged, output, electronFolder),
    appId: ids.bundleId,
    productName: appName,
    copyright: '',
    mac: {
      icon: join(staged.buildResources, 'icon.icns'),
      extendInfo: infoPlistAdditions,
      hardenedRuntime: true,
      gatekeeperAssess: false,
      // The package is notarized, and what is in it with it.
      notarize: false,
      ...(credentials ? signing(packing, credentials) : { identity: null }),
    },
  };
}

const signing = ({ work, ids }: MacPacking, { APP_IDENTITY, APP_PROFILE }: Credentials) => ({
  // electron-builder chooses the kind of certificate itself, and refuses a name that says it.
  identity: APP_IDENTITY.replace(/^Developer ID Application: /, ''),
  provisioningProfile: APP_PROFILE,
  entitlements: writeEntitlements(work, 'app', ids),
  entitlementsInherit: writeEntitlements(work, 'electron-helper', ids),
  // These have been signed by then, each with entitlements of its own.
  signIgnore: ['/Contents/Library/SystemExtensions/', `/Contents/MacOS/${EXTENSION_TOOL_NAME}$`],
});
