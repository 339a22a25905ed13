/** The control plane that the policy files are for. */
export interface Target {
  url: string;
  apiKey: string;
}

interface Options {
  url?: string | undefined;
  /** The name of the environment variable that holds the key. */
  keyEnv?: string | undefined;
}

/**
 * Reads the target. Missing options fall back to the variables of the SDKs. Error messages never
 * contain the name of the variable, because it may be a key that was passed by mistake.
 */
export function readTarget(
  { url, keyEnv }: Options,
  env: NodeJS.ProcessEnv = process.env,
): Target | { error: string } {
  const base = url ?? env.SVC_API_URL;
  if (!base) return { error: '--url: expected the address of the control plane' };
  if (!/^https?:/.test(base) || !URL.canParse(base))
    return { error: '--url: expected an address like https://gatehouse.example.com' };
  const apiKey = env[keyEnv ?? 'SVC_API_KEY'];
  if (!apiKey)
    return { error: '--key-env: expected the name of a variable that is set and holds an API key' };
  return { url: base, apiKey };
}
