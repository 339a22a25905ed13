import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../credentials.ts';
import { run } from '../run.ts';
import { type CodeKind, entitlementsOf, type SigningIds } from './entitlements.ts';
import type { MacParts } from './parts.ts';

export interface CodeToSign {
  path: string;
  identity: string;
  entitlementsFile: string;
  /** The code signing identifier, if it is not the bundle id in the Info.plist. */
  identifier?: string;
}

/** The arguments of codesign. Notarization requires the hardened runtime and Apple's timestamp. */
export const codesignArguments = (code: CodeToSign): string[] => [
  '--force',
  '--timestamp',
  '--options=runtime',
  `--sign=${code.identity}`,
  `--entitlements=${code.entitlementsFile}`,
  ...(code.identifier ? [`--identifier=${code.identifier}`] : []),
  code.path,
];

/** Writes the entitlements of a kind of code to a file in `folder`. Returns its path. */
export function writeEntitlements(folder: string, kind: CodeKind, ids: SigningIds): string {
  const file = join(folder, `${kind}.entitlements`);
  writeFileSync(file, entitlementsOf(kind, ids));
  return file;
}

export interface PartSigning {
  ids: SigningIds;
  credentials: Credentials;
  /** The folder for the entitlements files. */
  folder: string;
}

/**
 * Signs the extensions and the program that activates them, each with its own entitlements and
 * profile. electron-builder then signs the app without signing them again.
 */
export async function signParts(parts: MacParts, signing: PartSigning): Promise<void> {
  for (const code of codeOf(parts, signing)) {
    if (code.profile)
      copyFileSync(code.profile, join(code.path, 'Contents/embedded.provisionprofile'));
    await run('codesign', codesignArguments(code));
  }
}

function codeOf(
  { flowMonitor, proxyMonitor, extensionTool }: MacParts,
  { ids, credentials, folder }: PartSigning,
): (CodeToSign & { profile?: string })[] {
  const identity = credentials.APP_IDENTITY;
  const file = (kind: CodeKind): string => writeEntitlements(folder, kind, ids);
  return [
    {
      path: flowMonitor,
      identity,
      entitlementsFile: file('flowmonitor'),
      profile: credentials.FLOWMONITOR_PROFILE,
    },
    {
      path: proxyMonitor,
      identity,
      entitlementsFile: file('proxymonitor'),
      profile: credentials.PROXYMONITOR_PROFILE,
    },
    // A program without a bundle cannot contain a profile. It is signed with the identifier of the
    // app, whose profile then applies.
    {
      path: extensionTool,
      identity,
      entitlementsFile: file('app'),
      identifier: ids.bundleId,
    },
  ];
}
