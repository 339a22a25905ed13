import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AfterPackContext, Configuration } from 'electron-builder';
import type { StagedApp } from './electron-app.ts';
import { electronVersion } from './electron-app.ts';

/**
 * What electron-builder does alike for all systems: everything of the staged app into one archive,
 * which no other package joins, and nothing published. The app has no updater: which version a
 * computer runs is decided by who manages it.
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

/** What Electron shows where there is no app: some unpacked ones still have it. */
export async function removeDefaultApp({ appOutDir }: AfterPackContext): Promise<void> {
  for (const resources of ['Electron.app/Contents/Resources', 'resources'])
    await rm(join(appOutDir, resources, 'default_app.asar'), { force: true });
}
