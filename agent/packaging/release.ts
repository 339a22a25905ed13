import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgressReporter } from '#installer/installer-error.ts';
import type { PackagingConfig } from './config.ts';

export interface Release {
  config: PackagingConfig;
  /** The folder for the app and its packages. */
  output: string;
  report: ProgressReporter;
}

/** Calls `work` with a temporary folder and deletes the folder afterwards. */
export async function withWorkFolder<T>(
  output: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'packaging-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // electron-builder leaves these debug files behind.
    rmSync(join(output, 'builder-debug.yml'), { force: true });
    rmSync(join(output, 'builder-effective-config.yaml'), { force: true });
  }
}
