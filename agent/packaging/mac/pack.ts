import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AfterPackContext, Arch, type Configuration, Platform } from 'electron-builder';
import { build as buildPlist, parse, type PlistValue } from 'plist';
import { commonConfig, removeDefaultApp } from '../builder-config.ts';
import type { Credentials } from '../credentials.ts';
import type { StagedApp } from '../electron-app.ts';
import { setFuses } from '../fuses.ts';
import { packApp } from '../pack-app.ts';
import type { SigningIds } from './entitlements.ts';
import { addParts, EXTENSION_TOOL_NAME, type MacParts } from './parts.ts';
import { signParts, writeEntitlements } from './sign-parts.ts';

/** Makes the app a menu bar app, without an icon in the Dock and in the Cmd-Tab list. */
const infoPlistAdditions = { LSUIElement: true };

export interface MacPacking {
  staged: StagedApp;
  appName: string;
  ids: SigningIds;
  parts: MacParts;
  /** The folder for the app bundle. */
  output: string;
  /** A folder for intermediate files. */
  work: string;
  electronFolder: string | null;
  /** Null: nothing is signed. */
  credentials: Credentials | null;
  /**
   * Joins the Electron builds for both processors with Apple's lipo. Otherwise the app has the
   * processors of the Electron in `electronFolder`.
   */
  universal: boolean;
}

/** Packs the app bundle with electron-builder. Returns its path. */
export async function packMacApp(packing: MacPacking): Promise<string> {
  const arch = packing.universal ? Arch.universal : Arch.arm64;
  let app = '';
  const afterPack = async (context: AfterPackContext): Promise<void> => {
    // A universal app is first packed for each processor; nothing is added until both are joined.
    if (context.arch !== arch) return;
    app = join(context.appOutDir, `${context.packager.appInfo.productFilename}.app`);
    await finishBundle(app, packing);
  };
  await packApp({
    projectDir: packing.staged.app,
    targets: Platform.MAC.createTarget('dir', arch),
    config: { ...macConfig(packing), afterExtract: removeDefaultApp, afterPack },
    publish: 'never',
  });
  return app;
}

/** Makes the changes that electron-builder cannot make, before the app is signed. */
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
      // Notarizing the package includes the app.
      notarize: false,
      ...(credentials ? signing(packing, credentials) : { identity: null }),
    },
  };
}

const signing = ({ work, ids }: MacPacking, { APP_IDENTITY, APP_PROFILE }: Credentials) => ({
  // electron-builder rejects a name with the type of the certificate, which it adds.
  identity: APP_IDENTITY.replace(/^Developer ID Application: /, ''),
  provisioningProfile: APP_PROFILE,
  entitlements: writeEntitlements(work, 'app', ids),
  entitlementsInherit: writeEntitlements(work, 'electron-helper', ids),
  // `signParts` has already signed these with their own entitlements.
  signIgnore: ['/Contents/Library/SystemExtensions/', `/Contents/MacOS/${EXTENSION_TOOL_NAME}$`],
});

/**
 * Keys that Electron and electron-builder add for apps that use a camera, a microphone or Bluetooth, or
 * load pages over HTTP without TLS.
 */
const unusedKeys =
  /^(NS(Camera|Microphone|Bluetooth|AudioCapture).*UsageDescription|NSAppTransportSecurity)$/;

/** Removes the keys that this app does not need from an Info.plist. */
function cleanInfoPlist(path: string): void {
  const info = parse(readFileSync(path, 'utf8')) as Record<string, PlistValue>;
  const kept = Object.entries(info).filter(([key]) => !unusedKeys.test(key));
  writeFileSync(path, `${buildPlist(Object.fromEntries(kept))}\n`);
}
