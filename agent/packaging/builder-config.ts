import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AfterPackContext, Configuration } from 'electron-builder';
import type { StagedApp } from './electron-app.ts';
import { electronVersion } from './electron-app.ts';

/**
 * The options of electron-builder for all systems: it packs the staged app into one archive without
 * other npm packages, and publishes nothing. The app has no updater: device management decides which
 * version a computer runs.
 */
export const commonConfig = (
  { buildResources }: StagedApp,
  output: string,
  electronFolder: string | null,
): Configuration => ({
  electronVersion,
  ...(electronFolder === null ? {} : { electronDist: electronFolder }),
  directories: { output, buildResources },
  files: ['**/*'],
  asar: true,
  npmRebuild: false,
  nodeGypRebuild: false,
  publish: null,
});

/** Removes the app that Electron shows if there is no other; some unpacked versions contain it. */
export async function removeDefaultApp({ appOutDir }: AfterPackContext): Promise<void> {
  for (const resources of ['Electron.app/Contents/Resources', 'resources'])
    await rm(join(appOutDir, resources, 'default_app.asar'), { force: true });
}
