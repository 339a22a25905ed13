import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filterExtension, proxyExtension } from '#profile-builder/payloads/common-keys.ts';
import { PackagingError } from '../packaging-error.ts';

/** The code for Macs that is not JavaScript, as it is built in agent/macos. */
export interface MacParts {
  /** Folders `<bundle id>.systemextension`. */
  flowMonitor: string;
  proxyMonitor: string;
  /** The program that activates the extensions. */
  extensionTool: string;
}

export const EXTENSION_TOOL_NAME = 'gatehouse-extensions';

export const partsIn = (folder: string, bundleId: string): MacParts => ({
  flowMonitor: join(folder, `${filterExtension(bundleId)}.systemextension`),
  proxyMonitor: join(folder, `${proxyExtension(bundleId)}.systemextension`),
  extensionTool: join(folder, EXTENSION_TOOL_NAME),
});

/** @throws PackagingError, naming the first that is not there */
export function requireParts(parts: MacParts): void {
  const missing = Object.values(parts).find((path: string) => !existsSync(path));
  if (missing) throw new PackagingError(`${missing} does not exist: xcodebuild has not built it`);
}

/**
 * Puts them into an app, where macOS looks for them: extensions are activated only out of the bundle
 * of the program that asks, so that program lies beside the app's own. Answers where they are now.
 */
export function addParts(app: string, parts: MacParts): MacParts {
  const extensions = join(app, 'Contents/Library/SystemExtensions');
  const programs = join(app, 'Contents/MacOS');
  mkdirSync(extensions, { recursive: true });
  const put = (part: string, folder: string): string => {
    const place = join(folder, basename(part));
    cpSync(part, place, { recursive: true, verbatimSymlinks: true });
    return place;
  };
  return {
    flowMonitor: put(parts.flowMonitor, extensions),
    proxyMonitor: put(parts.proxyMonitor, extensions),
    extensionTool: put(parts.extensionTool, programs),
  };
}
