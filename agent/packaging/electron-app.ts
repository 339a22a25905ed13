import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '#agent/electron/build.ts';
import rootPackage from '../../package.json' with { type: 'json' };

/** The version of the product, and the Electron that it is packed with. */
export const { version } = rootPackage;
export const electronVersion = rootPackage.devDependencies.electron;

const icons = join(import.meta.dirname, 'icons');

/** A folder as electron-builder wants it: the built app alone, and its icon. */
export interface StagedApp {
  app: string;
  buildResources: string;
}

/** Builds the app's JavaScript and puts it where it is packed from. */
export async function stageApp(folder: string, appName: string): Promise<StagedApp> {
  const staged = { app: join(folder, 'app'), buildResources: join(folder, 'build-resources') };
  await buildApp(appName, staged.app);
  describe(join(staged.app, 'package.json'), appName);
  mkdirSync(staged.buildResources);
  for (const kind of ['icns', 'png'])
    cpSync(join(icons, `app.${kind}`), join(staged.buildResources, `icon.${kind}`));
  return staged;
}

/** electron-builder names who made it, and what it is, in what it packs. */
function describe(packageFile: string, appName: string): void {
  const built = JSON.parse(readFileSync(packageFile, 'utf8')) as object;
  const described = { ...built, description: rootPackage.description, author: appName };
  writeFileSync(packageFile, `${JSON.stringify(described, null, 2)}\n`);
}
