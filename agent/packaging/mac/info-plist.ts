import { readFileSync, writeFileSync } from 'node:fs';
import { build, parse, type PlistValue } from 'plist';

/** A background item of the menu bar: no icon in the Dock, not in the list that Cmd-Tab shows. */
export const infoPlistAdditions = { LSUIElement: true };

/**
 * Keys that come with Electron or electron-builder for apps that use a camera, a microphone or
 * Bluetooth, or load pages over plain HTTP. The agent does none of it, and says nothing of it.
 */
const unused =
  /^(NS(Camera|Microphone|Bluetooth|AudioCapture).*UsageDescription|NSAppTransportSecurity)$/;

/** Takes out of an Info.plist what this app has no use for. */
export function cleanInfoPlist(path: string): void {
  const info = parse(readFileSync(path, 'utf8')) as Record<string, PlistValue>;
  const kept = Object.entries(info).filter(([key]) => !unused.test(key));
  writeFileSync(path, `${build(Object.fromEntries(kept))}\n`);
}
