import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '../../..');

/**
 * The agent's relay as installed on a device: a bundle, with the worker thread's program next to
 * it.
 */
export async function buildRelay(folder: string): Promise<string> {
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
        input: {
          relay: join(import.meta.dirname, 'gatehouse-relay.ts'),
          'report-worker': join(root, 'agent/node/capture/report-worker.ts'),
        },
        external: ['koffi'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  return join(folder, 'relay.js');
}
