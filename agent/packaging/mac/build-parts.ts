import { join } from 'node:path';
import { run } from '../run.ts';
import type { SigningIds } from './entitlements.ts';
import { type MacParts, partsIn, requireParts } from './parts.ts';

const folder = join(import.meta.dirname, '../../macos');

/**
 * Builds the extensions and the program that activates them for both processors. Unsigned: they are
 * signed in the app, with their profiles.
 *
 * @throws PackagingError with what xcodebuild says
 */
export async function buildParts(ids: SigningIds, version: string): Promise<MacParts> {
  await run('env', buildCommand(ids, version), { cwd: folder });
  const parts = partsIn(join(folder, 'build/Release'), ids.bundleId);
  requireParts(parts);
  return parts;
}

/** Variables for agent/macos/build.sh, and settings that it hands to xcodebuild. */
const buildCommand = ({ teamId, bundleId }: SigningIds, version: string): string[] => [
  `APP_BUNDLE_ID=${bundleId}`,
  `APPLE_TEAM_ID=${teamId}`,
  `APP_VERSION=${version}`,
  './build.sh',
  'ONLY_ACTIVE_ARCH=NO',
  'CODE_SIGNING_ALLOWED=NO',
  // Xcode knows it from what it signs with: it begins the names of services in the extensions.
  `TeamIdentifierPrefix=${teamId}.`,
];
