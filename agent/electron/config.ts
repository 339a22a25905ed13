import { z } from 'zod';
import { describeIssues } from '#contract/errors.ts';

const environment = z.object({
  APP_NAME: z.string().min(1).max(100).default('Gatehouse'),
  /** A folder with an unpacked Electron; the launcher of the npm package reads it too. */
  ELECTRON_OVERRIDE_DIST_PATH: z.string().optional(),
});

export interface ElectronConfig {
  appName: string;
  electronFolder: string | null;
}

/** Reads the settings for building and starting the app. The error names the invalid variable. */
export function readElectronConfig(
  env: Record<string, string | undefined> = process.env,
): { config: ElectronConfig } | { error: string } {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) return { error: describeIssues(read.error, 'environment') };
  const { APP_NAME, ELECTRON_OVERRIDE_DIST_PATH } = read.data;
  return { config: { appName: APP_NAME, electronFolder: ELECTRON_OVERRIDE_DIST_PATH ?? null } };
}
