/** Adds the hosts that are switched on and removes those that are switched off. */
export function withHostOverrides(
  hosts: readonly string[],
  overrides: Readonly<Record<string, boolean>> = {},
): readonly string[] {
  const changed = Object.entries(overrides);
  if (changed.length === 0) return hosts;
  const added = changed.flatMap(([host, on]) => (on ? [host] : []));
  const kept = hosts.filter((host) => overrides[host] !== false);
  return [...new Set([...kept, ...added])].sort();
}
