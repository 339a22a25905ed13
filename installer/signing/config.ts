/** The password that a variable holds, or null where it is not set or empty. */
export function readPassword(
  variable: string,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  return env[variable] || null;
}
