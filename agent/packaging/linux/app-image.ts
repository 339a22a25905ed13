import { join } from 'node:path';
import { type AfterPackContext, Platform } from 'electron-builder';
import { commonConfig, removeDefaultApp } from '../builder-config.ts';
import { useAppImageTools } from '../config.ts';
import { electronVersion, stageApp, version } from '../electron-app.ts';
import { setFuses } from '../fuses.ts';
import { packApp } from '../pack-app.ts';
import type { Release } from '../release.ts';
import { writeAppImageTools, writeElectronForLinux } from '../stand-in/electron-for-linux.ts';
import { copyKoffi } from './agent-bundle.ts';
import type { LinuxNames } from './names.ts';

export interface AppImageOptions {
  release: Release;
  names: LinuxNames;
  work: string;
  isStandIn: boolean;
}

/** The version of electron-builder's AppImage format whose runtime needs no library of the system. */
const TOOLSET = '1.0.3';

/** Packs the app with its window as one file for a single user. Returns its path. */
export async function makeAppImage(options: AppImageOptions): Promise<string> {
  const { release, names, work, isStandIn } = options;
  const { config, output } = release;
  const staged = await stageApp(join(work, 'electron-app'), config.appName);
  // electron-builder packs only dependencies in package.json, of which the bundled app has none.
  const modules = join(work, 'native');
  copyKoffi(modules);
  if (isStandIn) writeElectronForLinux(join(work, 'electron'), electronVersion);
  if (isStandIn) useAppImageTools(writeAppImageTools(join(work, 'tools')));
  const executableName = names.packageName.replace(/-agent$/, '');
  const artifactName = `${config.appName}-${version}-${process.arch}.AppImage`;
  await packApp({
    projectDir: staged.app,
    targets: Platform.LINUX.createTarget('AppImage'),
    config: {
      ...commonConfig(staged, output, isStandIn ? join(work, 'electron') : config.electronFolder),
      appId: config.bundleId,
      productName: config.appName,
      toolsets: { appimage: TOOLSET },
      files: ['**/*', { from: join(modules, 'node_modules'), to: 'node_modules' }],
      // The system can load a library only from a file, not from the archive.
      asarUnpack: ['**/*.node'],
      afterExtract: removeDefaultApp,
      afterPack: async ({ appOutDir }: AfterPackContext) =>
        void (await setFuses(join(appOutDir, executableName))),
      linux: {
        executableName,
        category: 'System',
        icon: join(staged.buildResources, 'icon.png'),
        artifactName,
      },
    },
    publish: 'never',
  });
  return join(output, artifactName);
}
