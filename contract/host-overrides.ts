/** The hosts with those that are switched on added, and those that are switched off left out. */
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
