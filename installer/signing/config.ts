/** The password in an environment variable, or null if that is unset or empty. */
export function readPassword(
  variable: string,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  return env[variable] || null;
}
