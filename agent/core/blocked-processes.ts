/** As many as a device takes in one list. */
const MOST_NAMES = 500;

/** The processes that Guard's layers block, and others that are blocked on the device besides. */
export function withBlocked<C extends { blocked_processes: string[] }>(
  config: C,
  names: readonly string[],
): C {
  if (names.length === 0) return config;
  const all = new Set([...config.blocked_processes, ...names.toSorted()]);
  return { ...config, blocked_processes: [...all].slice(0, MOST_NAMES) };
}
