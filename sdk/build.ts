import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'vite';

/**
 * Builds the package into `sdk/dist`, or into the folder in the first argument: one file as an ES
 * module and one in `cjs/` as CommonJS, each with its declarations, the manifest and the README.
 *
 * The manifest in this folder is not named `package.json`, because imports of `#contract/…` would
 * be resolved with it instead of with that of the repository.
 */
const here = import.meta.dirname;
const dist = process.argv[2] ?? join(here, 'dist');
const cjs = join(dist, 'cjs');

async function bundle(format: 'es' | 'cjs', outDir: string): Promise<void> {
  await build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      // The language level of the oldest supported Node.
      target: 'es2023',
      minify: false,
      sourcemap: true,
      lib: { entry: join(here, 'src/index.ts'), formats: [format], fileName: () => 'index.js' },
    },
  });
}

/** Writes the declarations that are reachable from the entry point. Internal ones are omitted. */
function writeDeclarations(): void {
  const all = mkdtempSync(join(tmpdir(), 'svc-observe-'));
  try {
    compile(all);
    for (const file of reachable(join(all, 'sdk/src/index.d.ts'))) {
      const text = readFileSync(file, 'utf8').replaceAll(IMPORTED, "$1'$2.js'");
      for (const folder of [dist, cjs]) {
        const target = join(folder, relative(join(all, 'sdk/src'), file));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
    }
  } finally {
    rmSync(all, { recursive: true });
  }
}

function compile(outDir: string): void {
  const tsc = join(here, '../node_modules/typescript/bin/tsc');
  const args = [tsc, '--project', join(here, 'tsconfig.build.json'), '--outDir', outDir];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

const IMPORTED = /\b(from |import\()'([^']+?)(?:\.ts)?'/g;

function reachable(entry: string): Set<string> {
  const files = new Set([entry]);
  for (const file of files)
    for (const [, , path = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      // The contract and zod are not part of the package.
      if (!path.startsWith('.')) throw new Error(`${file} imports ${path}, which is not published`);
      files.add(join(dirname(file), `${path}.d.ts`));
    }
  return files;
}

await bundle('es', dist);
await bundle('cjs', cjs);
writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
writeDeclarations();
copyFileSync(join(here, 'manifest.json'), join(dist, 'package.json'));
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'));
