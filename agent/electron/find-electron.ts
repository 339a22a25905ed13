import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Resolves `package.json`, because loading the main module of the package would start a download.
export const electronPackage = dirname(
  createRequire(import.meta.url).resolve('electron/package.json'),
);

export interface ElectronPaths {
  /** The folder of the npm package. */
  packageFolder: string;
  /** A folder with an unpacked Electron, which is used instead of the package's. */
  electronFolder: string | null;
}

/** Finds the Electron program in the folders that its launcher searches; null if it is missing. */
export function findElectron({ packageFolder, electronFolder }: ElectronPaths): string | null {
  const pathFile = join(packageFolder, 'path.txt');
  const named = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : '';
  if (electronFolder !== null) return ifExists(join(electronFolder, named || 'electron'));
  return named ? ifExists(join(packageFolder, 'dist', named)) : null;
}

const ifExists = (path: string): string | null => (existsSync(path) ? path : null);

/** Runs the download script of the package. Returns false if it fails or exceeds the time limit. */
export async function fetchElectron(packageFolder: string, timeoutMs: number): Promise<boolean> {
  try {
    const script = join(packageFolder, 'install.js');
    await run(process.execPath, [script], { timeout: timeoutMs, killSignal: 'SIGKILL' });
    return true;
  } catch {
    return false;
  }
}
