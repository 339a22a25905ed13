import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '#agent/electron/build.ts';
import rootPackage from '../../package.json' with { type: 'json' };

/** The version of the product. */
export const { version } = rootPackage;
/** The version of Electron that the app is packed with. */
export const electronVersion = rootPackage.devDependencies.electron;

const icons = join(import.meta.dirname, 'icons');

/** The folders that electron-builder packs: the built app, and its icon. */
export interface StagedApp {
  app: string;
  buildResources: string;
}

/** Builds the app into a folder in the layout that electron-builder expects. */
export async function stageApp(folder: string, appName: string): Promise<StagedApp> {
  const staged = { app: join(folder, 'app'), buildResources: join(folder, 'build-resources') };
  await buildApp(appName, staged.app);
  addDescription(join(staged.app, 'package.json'), appName);
  mkdirSync(staged.buildResources);
  for (const kind of ['icns', 'png'])
    cpSync(join(icons, `app.${kind}`), join(staged.buildResources, `icon.${kind}`));
  return staged;
}

/** Adds the description and author, which electron-builder writes into its packages. */
function addDescription(packageFile: string, appName: string): void {
  const built = JSON.parse(readFileSync(packageFile, 'utf8')) as object;
  const described = { ...built, description: rootPackage.description, author: appName };
  writeFileSync(packageFile, `${JSON.stringify(described, null, 2)}\n`);
}
