import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filterExtension, proxyExtension } from '#profile-builder/payloads/common-keys.ts';
import { PackagingError } from '../packaging-error.ts';

/** The native code for macOS, built from agent/macos. */
export interface MacParts {
  /** The folder `<bundle id>.systemextension`. */
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

/**
 * Checks that all parts exist.
 *
 * @throws PackagingError that names the first missing part
 */
export function requireParts(parts: MacParts): void {
  const missing = Object.values(parts).find((path: string) => !existsSync(path));
  if (missing) throw new PackagingError(`${missing} does not exist: xcodebuild has not built it`);
}

/**
 * Copies the parts into an app, and returns their new paths. A program can activate only the extensions
 * in its own bundle, so the extension tool is beside the main program of the app.
 */
export function addParts(app: string, parts: MacParts): MacParts {
  const extensions = join(app, 'Contents/Library/SystemExtensions');
  const programs = join(app, 'Contents/MacOS');
  mkdirSync(extensions, { recursive: true });
  const add = (part: string, folder: string): string => {
    const target = join(folder, basename(part));
    cpSync(part, target, { recursive: true, verbatimSymlinks: true });
    return target;
  };
  return {
    flowMonitor: add(parts.flowMonitor, extensions),
    proxyMonitor: add(parts.proxyMonitor, extensions),
    extensionTool: add(parts.extensionTool, programs),
  };
}
