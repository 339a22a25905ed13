/** Which product the profile is for. */
export interface ProductConfig {
  appName: string;
  bundleId: string;
  /** The Apple team that signs the app; null: not configured, and there is no default. */
  teamId: string | null;
}

/** A secret that a command is told the variable of, or null where that is not set or empty. */
export function readSecret(variable: string, env: NodeJS.ProcessEnv = process.env): string | null {
  return env[variable] || null;
}

/** A variable that is not set, or empty, has its default, where there is one. */
export function readProductConfig(env: NodeJS.ProcessEnv = process.env): ProductConfig {
  return {
    appName: env['APP_NAME'] || 'Gatehouse',
    bundleId: env['APP_BUNDLE_ID'] || 'com.gatehouse.agent',
    teamId: env['APPLE_TEAM_ID'] || null,
  };
}
