/**
 * The variables of dpkg, if it runs this process. By them the hook for Java's store knows that it runs
 * while dpkg removes the agent, and does not start another dpkg, which would fail.
 */
export const dpkgEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('DPKG_')));
