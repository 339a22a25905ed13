import { z } from 'zod';
import { describeIssues } from '#contract/errors.ts';

const environment = z.object({
  APP_NAME: z.string().min(1).max(100).default('Gatehouse'),
  /** A folder with an unpacked Electron, as Electron's own launcher understands it. */
  ELECTRON_OVERRIDE_DIST_PATH: z.string().optional(),
});

export interface ElectronConfig {
  appName: string;
  electronFolder: string | null;
}

/** What building and starting the app needs from the environment, or one line naming the bad variable. */
export function readElectronConfig(
  env: Record<string, string | undefined> = process.env,
): { config: ElectronConfig } | { error: string } {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) return { error: describeIssues(read.error, 'environment') };
  const { APP_NAME, ELECTRON_OVERRIDE_DIST_PATH } = read.data;
  return { config: { appName: APP_NAME, electronFolder: ELECTRON_OVERRIDE_DIST_PATH ?? null } };
}
