type Environment = Record<string, string | undefined>;

/**
 * Returns the variables by which the hook for Java's store knows that it runs while dpkg removes the
 * agent. It then starts no other dpkg, which would fail.
 */
export const readDpkgEnvironment = (env: Environment = process.env): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('DPKG_')));
