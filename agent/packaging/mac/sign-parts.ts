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
  /** Where it is not the one that its own Info.plist names. */
  identifier?: string;
}

/** With the hardened runtime and a timestamp of Apple's, without which nothing is notarized. */
export const codesignArguments = (code: CodeToSign): string[] => [
  '--force',
  '--timestamp',
  '--options=runtime',
  `--sign=${code.identity}`,
  `--entitlements=${code.entitlementsFile}`,
  ...(code.identifier ? [`--identifier=${code.identifier}`] : []),
  code.path,
];

/** Which file of entitlements code of a kind is signed with; written to `folder`. */
export function writeEntitlements(folder: string, kind: CodeKind, ids: SigningIds): string {
  const file = join(folder, `${kind}.entitlements`);
  writeFileSync(file, entitlementsOf(kind, ids));
  return file;
}

export interface PartSigning {
  ids: SigningIds;
  credentials: Credentials;
  /** For the files of entitlements. */
  folder: string;
}

/**
 * Signs the extensions and the program that activates them, each with its own entitlements and
 * profile; electron-builder, which signs the app around them afterwards, leaves them as they are.
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
    // A bare program has no place for a profile: it is the app, in name and rights, and so has the
    // app's profile.
    {
      path: extensionTool,
      identity,
      entitlementsFile: file('app'),
      identifier: ids.bundleId,
    },
  ];
}
