import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import product from '../package.json' with { type: 'json' };

/**
 * Reduces the product's package.json to the version, which is the only part that the agent reads.
 */
const onlyVersion: Plugin = {
  name: 'only-version',
  load: (id) =>
    id === join(import.meta.dirname, '../package.json')
      ? JSON.stringify({ version: product.version })
      : null,
};

/** The entry points of the agent's threads, by the names of their bundles. */
export const threadPrograms: Readonly<Record<string, string>> = {
  'report-worker': join(import.meta.dirname, 'node/capture/reports/report-worker.ts'),
  'check-worker': join(import.meta.dirname, 'node/capture/enforcement/check-worker.ts'),
  'inventory-worker': join(import.meta.dirname, 'node/inventory/inventory-worker.ts'),
};

/**
 * Bundles programs of the agent, by name, into a folder that is emptied first. Everything from
 * node_modules is included except `external` and koffi, a native module that only code for Linux
 * loads.
 */
export async function bundlePrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
  external: readonly string[] = [],
): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    root: import.meta.dirname,
    plugins: [onlyVersion],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: { ...programs },
        external: ['koffi', ...external],
        // All chunks are in one folder: `import.meta.dirname` is the same in each.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}
