import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const here = import.meta.dirname;

export const builtFolder = join(here, 'dist');

/**
 * Builds the programs into a folder within the package: `control-plane.js`, `local.js`, the entry
 * files of their threads, and chunks that are loaded on demand. A start then reads a few files
 * instead of more than a thousand.
 */
export async function buildControlPlane(folder = builtFolder): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const fresh = mkdtempSync(join(folder, NEW));
  try {
    await buildInto(fresh);
    putInPlace(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const NEW = '.new-';

/**
 * Moves the built files into the folder. A control plane that runs from there loads some files
 * late, so unchanged files are left in place.
 */
function putInPlace(fresh: string, folder: string): void {
  const files = readdirSync(fresh);
  for (const file of files)
    if (!isSame(join(fresh, file), join(folder, file)))
      renameSync(join(fresh, file), join(folder, file));
  for (const file of readdirSync(folder))
    if (!files.includes(file) && !file.startsWith(NEW)) rmSync(join(folder, file), { force: true });
}

const isSame = (a: string, b: string): boolean =>
  existsSync(b) && readFileSync(a).equals(readFileSync(b));

async function buildInto(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    root: here,
    plugins: [threadFiles, asciiOnly],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: {
          'control-plane': join(here, 'main.ts'),
          local: join(here, 'startup/local/main.ts'),
        },
        // Native code stays in its package. pg tries to load pg-native, and works without it.
        external: ['better-sqlite3', 'pg-native'],
        // All files are in one folder, so that the file of a thread is beside every chunk that may
        // start it.
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  });
}

const threadFile = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g;

/** Makes every file that is referenced by URL an entry, because it runs in a thread of its own. */
const threadFiles: Plugin = {
  name: 'thread-files',
  enforce: 'pre',
  transform(code, id) {
    return code.replaceAll(threadFile, (_all, path: string) => {
      const name = `${basename(path)}.js`;
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${path}.ts`), fileName: name });
      return `new URL('./${name}', import.meta.url)`;
    });
  },
};

/**
 * Escapes characters outside of ASCII: a single character beyond Latin-1 makes V8 keep the whole
 * source of a file at two bytes per character. Comments are already removed, and in strings,
 * templates and regular expressions an escape has the same meaning.
 */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  // This runs after the printer, which would write the characters again.
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = escapeNonAscii(file.fileName, file.code);
  },
};

const RAW_TEMPLATE = /String\.raw`[^`]*[^\0-\x7F]/;
const NON_ASCII = /[^\0-\x7F]/g;

function escapeNonAscii(fileName: string, code: string): string {
  if (RAW_TEMPLATE.test(code)) throw new Error(`${fileName}: a raw template cannot be escaped`);
  return code.replaceAll(
    NON_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildControlPlane();
