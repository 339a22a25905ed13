/** Environment variables that set the proxy and the trusted certificates of programs started here. */
const trustVariables = [
  'NODE_USE_SYSTEM_CA',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
] as const;
const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'] as const;
const redirectingVariables = [
  'OPENAI_BASE_URL',
  'OPENAI_API_BASE',
  'ANTHROPIC_BASE_URL',
  'GOOGLE_GEMINI_BASE_URL',
] as const;

export type Environment = Readonly<Partial<Record<string, string>>>;

export interface ShellEnvironment {
  trust: Environment;
  proxies: Environment;
  redirections: Environment;
  /** Whether sudo started this program, which removes most variables of the shell. */
  hasSudo: boolean;
}

export const trustVariableNames: readonly string[] = trustVariables;

/** An empty variable counts as unset. */
export function readShellEnvironment(
  env: Record<string, string | undefined> = process.env,
): ShellEnvironment {
  const pick = (names: readonly string[]): Environment =>
    Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  return {
    trust: pick(trustVariables),
    proxies: pick(proxyVariables),
    redirections: pick(redirectingVariables),
    hasSudo: Boolean(env['SUDO_UID']),
  };
}
