import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundlePrograms, threadPrograms } from '#agent/bundle-programs.ts';

const agent = join(import.meta.dirname, '../..');

/**
 * Builds the agent without a window into a folder that Node runs on its own:
 * `package.json *.js node_modules/`.
 */
export async function buildAgent(folder: string): Promise<void> {
  await bundlePrograms(folder, { headless: join(agent, 'headless.ts'), ...threadPrograms });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  copyKoffi(folder);
}

const require = createRequire(import.meta.url);

/** Copies the files of koffi that are needed at run time; it calls functions of the C library. */
export function copyKoffi(folder: string): void {
  const koffi = dirname(require.resolve('koffi'));
  const target = join(folder, 'node_modules/koffi');
  const modules = ['index.js', 'src/koffi/index.js', 'src/koffi/src/static.js'];
  for (const file of ['package.json', 'LICENSE.txt', ...modules])
    copy(join(koffi, file), join(target, file));
  const name = `@koromix/koffi-linux-${process.arch}`;
  const native = dirname(createRequire(join(koffi, 'package.json')).resolve(name));
  for (const file of ['package.json', 'index.js', `linux_${process.arch}/koffi.node`])
    copy(join(native, file), join(folder, 'node_modules', name, file));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

/** The version of Node that the project pins. */
const nodePackage = require.resolve('node/package.json');
export const nodeProgram = join(dirname(nodePackage), 'bin/node');
export const { version: nodeVersion } = JSON.parse(readFileSync(nodePackage, 'utf8')) as {
  version: string;
};
