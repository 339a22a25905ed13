import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

// The package's own main module would start a download when it is merely loaded.
export const electronPackage = dirname(
  createRequire(import.meta.url).resolve('electron/package.json'),
);

export interface ElectronPaths {
  /** The npm package. */
  packageFolder: string;
  /** An unpacked Electron to use instead of the package's own. */
  electronFolder: string | null;
}

/** The Electron program, where it is there already: the same places that its own launcher looks at. */
export function findElectron({ packageFolder, electronFolder }: ElectronPaths): string | null {
  const pathFile = join(packageFolder, 'path.txt');
  const named = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : '';
  if (electronFolder !== null) return ifExists(join(electronFolder, named || 'electron'));
  return named ? ifExists(join(packageFolder, 'dist', named)) : null;
}

const ifExists = (path: string): string | null => (existsSync(path) ? path : null);

/** Lets the package fetch its program, for so many milliseconds at most. False if that failed. */
export async function fetchElectron(packageFolder: string, timeoutMs: number): Promise<boolean> {
  try {
    const script = join(packageFolder, 'install.js');
    await run(process.execPath, [script], { timeout: timeoutMs, killSignal: 'SIGKILL' });
    return true;
  } catch {
    return false;
  }
}
