import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import product from '../../package.json' with { type: 'json' };

const here = import.meta.dirname;

export const builtApp = join(here, 'dist');

/**
 * Builds the app into a folder that Electron starts, and that an installer packs as it is:
 * `package.json main.js *.js preload.cjs renderer/ icons/`.
 */
export async function buildApp(appName: string, folder = builtApp): Promise<void> {
  await build(mainModule(folder));
  await build(preload(folder));
  await buildWindow(join(folder, 'renderer'));
  cpSync(join(here, 'icons'), join(folder, 'icons'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), describeApp(appName));
}

/** Builds the page of the window alone. */
export async function buildWindow(folder: string): Promise<void> {
  await build({
    ...common,
    root: join(here, 'renderer'),
    base: './',
    // For production whatever NODE_ENV says: tests build too.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      outDir: folder,
      emptyOutDir: true,
      modulePreload: false,
      // The app serves exactly these names.
      rolldownOptions: {
        output: { entryFileNames: 'renderer.js', assetFileNames: 'renderer[extname]' },
      },
    },
  });
}

const common: InlineConfig = { configFile: false, logLevel: 'warn', publicDir: false };

/** Of the product's package.json, a device has use for the version alone. */
export const onlyVersion: Plugin = {
  name: 'only-version',
  load: (id) =>
    id === join(here, '../../package.json') ? JSON.stringify({ version: product.version }) : null,
};

/** Each thread has its own program, by the name of its bundle. */
export const threadPrograms: Readonly<Record<string, string>> = {
  'report-worker': join(here, '../node/capture/report-worker.ts'),
  'check-worker': join(here, '../node/capture/enforcement/check-worker.ts'),
  'inventory-worker': join(here, '../node/inventory/inventory-worker.ts'),
};

/** Everything from node_modules goes into the bundle: an installed app has none. */
const mainModule = (folder: string): InlineConfig => ({
  ...common,
  root: here,
  plugins: [onlyVersion],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: true,
    target: 'node24',
    rolldownOptions: {
      input: {
        main: join(here, 'main.ts'),
        ...threadPrograms,
      },
      // koffi is native, and only what is for Linux loads it: an app for the Mac has no use for it.
      external: ['electron', 'koffi'],
      // In one folder, so that `import.meta.dirname` means the same in every chunk.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});

/** A preload script in the sandbox has no module loader of its own: one CommonJS file. */
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
