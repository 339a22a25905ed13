import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '#installer/installer-error.ts';
import type { PackagingConfig } from './config.ts';

export interface Release {
  config: PackagingConfig;
  /** Where the app and its packages come to lie. */
  output: string;
  report: Report;
}

/** Works with a folder for what is left behind on the way; it is gone in the end. */
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
    // electron-builder's notes to itself.
    rmSync(join(output, 'builder-debug.yml'), { force: true });
    rmSync(join(output, 'builder-effective-config.yaml'), { force: true });
  }
}
