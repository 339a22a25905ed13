/** The team in examples and previews, which is assumed not to exist. */
export const EXAMPLE_TEAM_ID = 'GATEHOUSE1';

/** Why a profile with this team is only for inspection, in one line; null if the team may be real. */
export const exampleTeamNotice = (teamId: string | null): string | null =>
  teamId === EXAMPLE_TEAM_ID
    ? `for inspection only: APPLE_TEAM_ID is the example ${EXAMPLE_TEAM_ID}, which is no real team, so a Mac with this profile allows no extensions`
    : null;

/** The product that the profile is for. */
export interface ProductConfig {
  appName: string;
  bundleId: string;
  /** The Apple team that signs the app. Null if it is not configured; there is no default. */
  teamId: string | null;
}

/** The value of a secret in an environment variable, or null if that is unset or empty. */
export function readSecret(variable: string, env: NodeJS.ProcessEnv = process.env): string | null {
  return env[variable] || null;
}

/** Reads the product settings. An unset or empty variable has its default, if there is one. */
export function readProductConfig(env: NodeJS.ProcessEnv = process.env): ProductConfig {
  return {
    appName: env['APP_NAME'] || 'Gatehouse',
    bundleId: env['APP_BUNDLE_ID'] || 'com.gatehouse.agent',
    teamId: env['APPLE_TEAM_ID'] || null,
  };
}
