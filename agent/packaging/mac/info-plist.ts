import { readFileSync, writeFileSync } from 'node:fs';
import { build, parse, type PlistValue } from 'plist';

/** Makes the app a menu bar app, without an icon in the Dock and in the Cmd-Tab list. */
export const infoPlistAdditions = { LSUIElement: true };

/**
 * Keys that Electron and electron-builder add for apps that use a camera, a microphone or Bluetooth, or
 * load pages over HTTP without TLS.
 */
const unused =
  /^(NS(Camera|Microphone|Bluetooth|AudioCapture).*UsageDescription|NSAppTransportSecurity)$/;

/** Removes the keys that this app does not need from an Info.plist. */
export function cleanInfoPlist(path: string): void {
  const info = parse(readFileSync(path, 'utf8')) as Record<string, PlistValue>;
  const kept = Object.entries(info).filter(([key]) => !unused.test(key));
  writeFileSync(path, `${build(Object.fromEntries(kept))}\n`);
}
