interface SeedConfig {
  url: string;
  apiKey: string;
  user: { email: string; password: string } | undefined;
  model: string | undefined;
}

/**
 * The installation to fill: an argument, SVC_API_KEY, SVC_EMAIL with SVC_PASSWORD for what users make,
 * and SVC_MODEL for experiments.
 */
export function readSeedConfig(
  given = 'http://localhost:8080',
  env: NodeJS.ProcessEnv = process.env,
): SeedConfig | { error: string } {
  const apiKey = env['SVC_API_KEY'];
  if (!URL.canParse(given)) return { error: `expected the URL of an installation, found ${given}` };
  if (!apiKey)
    return { error: 'SVC_API_KEY: expected an API key with all permissions, found none' };
  const [email, password] = [env['SVC_EMAIL'], env['SVC_PASSWORD']];
  const user = email && password ? { email, password } : undefined;
  return { url: new URL(given).origin, apiKey, user, model: env['SVC_MODEL'] || undefined };
}
