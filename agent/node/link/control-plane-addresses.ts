import { lookup } from 'node:dns/promises';

export interface ControlPlaneAddresses {
  /**
   * Resolves the address of the control plane again. If that fails, the previous result is kept.
   */
  refresh: (apiUrl: string) => Promise<void>;
  list: () => { address: string; port: number }[];
}

/**
 * Resolves the addresses of the control plane, so that the agent does not report its own traffic.
 */
export function createControlPlaneAddresses(): ControlPlaneAddresses {
  let cached: { host: string; port: number; addresses: Set<string> } | null = null;
  return {
    refresh: async (apiUrl) => {
      const { hostname, port, protocol } = new URL(apiUrl);
      const host = hostname.replace(/^\[|\]$/g, '');
      const found = await lookup(host, { all: true }).catch(() => []);
      const previous = cached?.host === host ? cached.addresses : [];
      cached = {
        host,
        port: Number(port) || (protocol === 'https:' ? 443 : 80),
        // An open connection outlives a DNS change, so earlier addresses are kept.
        addresses: new Set([...previous, ...found.map(({ address }) => address)]),
      };
    },
    list: () => {
      const { addresses = [], port = 0 } = cached ?? {};
      return [...addresses].map((address) => ({ address, port }));
    },
  };
}
