/** Names of remote addresses, with an expiry and a limit on their number. */
export interface AddressNames {
  /** Records that `name` resolved to `address`, valid for `ttlMs` from `now`. */
  add: (address: string, name: string, ttlMs: number, now: number) => void;
  /** The name; undefined if two names share the address. */
  nameOf: (address: string, now: number) => string | undefined;
  size: () => number;
}

/** Stores at most `limit` addresses and evicts the least recently added. */
export function createAddressNames(limit = 4096): AddressNames {
  const known = new Map<string, Map<string, number>>();
  return {
    add(address, name, ttlMs, now) {
      const names = known.get(address) ?? new Map<string, number>();
      for (const [other, until] of names) if (until <= now) names.delete(other);
      names.set(name, Math.max(names.get(name) ?? 0, now + ttlMs));
      known.delete(address);
      known.set(address, names);
      for (const oldest of known.keys()) {
        if (known.size <= limit) break;
        known.delete(oldest);
      }
    },
    nameOf(address, now) {
      let only: string | undefined;
      for (const [name, until] of known.get(address) ?? []) {
        if (until <= now) continue;
        if (only !== undefined) return undefined;
        only = name;
      }
      return only;
    },
    size: () => known.size,
  };
}
