import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { bundlePrograms, threadPrograms } from '#agent/bundle-programs.ts';
import product from '../../package.json' with { type: 'json' };

const here = import.meta.dirname;

export const builtApp = join(here, 'dist');

/**
 * Builds the app into a folder that Electron can start and electron-builder packs unchanged:
 * `package.json main.js *.js preload.cjs renderer/ icons/`.
 */
export async function buildApp(appName: string, folder = builtApp): Promise<void> {
  await bundlePrograms(folder, { main: join(here, 'main.ts'), ...threadPrograms }, ['electron']);
  await build(preload(folder));
  await buildWindow(join(folder, 'renderer'));
  cpSync(join(here, 'icons'), join(folder, 'icons'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), describeApp(appName));
}

/** Builds only the page of the window. */
export async function buildWindow(folder: string): Promise<void> {
  await build({
    ...common,
    root: join(here, 'renderer'),
    base: './',
    // Always for production: tests build as well, with another NODE_ENV.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      outDir: folder,
      emptyOutDir: true,
      modulePreload: false,
      // `window-files.ts` serves files with these names.
      rolldownOptions: {
        output: { entryFileNames: 'renderer.js', assetFileNames: 'renderer[extname]' },
      },
    },
  });
}

const common: InlineConfig = { configFile: false, logLevel: 'warn', publicDir: false };

/** Bundles one CommonJS file: a sandboxed preload script cannot load modules. */
const preload = (folder: string): InlineConfig => ({
  ...common,
  root: here,
  build: {
    lib: { entry: join(here, 'preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
    outDir: folder,
    emptyOutDir: false,
    rolldownOptions: { external: ['electron'] },
  },
});

function describeApp(appName: string): string {
  const { name, version } = product;
  const app = {
    name,
    productName: appName,
    version,
    private: true,
    type: 'module',
    main: 'main.js',
  };
  return `${JSON.stringify(app, null, 2)}\n`;
}
