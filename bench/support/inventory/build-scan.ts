import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '../../..');

/** The scanning program as a device has it: a bundle, where no TypeScript has to be read. */
export async function buildScan(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    root,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: { 'scan-home': join(import.meta.dirname, 'scan-home.ts') },
        external: ['koffi'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  return join(folder, 'scan-home.js');
}
