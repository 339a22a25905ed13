/** The maximum number of processes that a device accepts. */
export const MAX_BLOCKED = 500;

/**
 * Adds as many of `names` to the processes that Guard's layers block as a device accepts. `names`
 * are ordered by descending importance.
 */
export function withBlocked<C extends { blocked_processes: string[] }>(
  config: C,
  names: readonly string[],
): C {
  if (names.length === 0) return config;
  const own = new Set(config.blocked_processes);
  const others = [...new Set(names)].filter((name) => !own.has(name));
  const kept = others.slice(0, Math.max(0, MAX_BLOCKED - own.size)).toSorted();
  return { ...config, blocked_processes: [...own, ...kept].slice(0, MAX_BLOCKED) };
}
