/** The control plane that policy files are for. */
export interface Target {
  url: string;
  apiKey: string;
}

interface Given {
  url?: string | undefined;
  /** The name of the variable that holds the key. */
  keyEnv?: string | undefined;
}

/**
 * What is not given is read from where SDKs read it. The name of a variable is in no line: it may
 * be the key, given by mistake.
 */
export function readTarget(
  { url, keyEnv }: Given,
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
