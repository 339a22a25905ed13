import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { onlyVersion, threadPrograms } from '#agent/electron/build.ts';

const here = import.meta.dirname;
const agent = join(here, '../..');

/**
 * Builds the agent without a window into a folder that Node runs, with nothing beside it:
 * `package.json *.js node_modules/`.
 */
export async function buildAgent(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    root: agent,
    plugins: [onlyVersion],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: {
          headless: join(agent, 'headless.ts'),
          ...threadPrograms,
        },
        external: ['koffi'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  copyKoffi(folder);
}

const require = createRequire(import.meta.url);

/** koffi, which calls functions of the system's C library, is native: as little of it as runs. */
export function copyKoffi(folder: string): void {
  const koffi = dirname(require.resolve('koffi'));
  const place = join(folder, 'node_modules/koffi');
  const modules = ['index.js', 'src/koffi/index.js', 'src/koffi/src/static.js'];
  for (const file of ['package.json', 'LICENSE.txt', ...modules])
    copy(join(koffi, file), join(place, file));
  const name = `@koromix/koffi-linux-${process.arch}`;
  const native = dirname(createRequire(join(koffi, 'package.json')).resolve(name));
  for (const file of ['package.json', 'index.js', `linux_${process.arch}/koffi.node`])
    copy(join(native, file), join(folder, 'node_modules', name, file));
}

function copy(file: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  cpSync(file, place);
}

/** The Node that the project is pinned to. */
const nodePackage = require.resolve('node/package.json');
export const nodeProgram = join(dirname(nodePackage), 'bin/node');
export const { version: nodeVersion } = JSON.parse(readFileSync(nodePackage, 'utf8')) as {
  version: string;
};
