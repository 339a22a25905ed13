import { lookup } from 'node:dns/promises';

export interface ControlPlaneAddresses {
  /** Looks again where the control plane is. What cannot be found stays as it was. */
  look: (apiUrl: string) => Promise<void>;
  list: () => { address: string; port: number }[];
}

/** Where the control plane is, so that the agent does not report talking to it. */
export function createControlPlaneAddresses(): ControlPlaneAddresses {
  let known: { host: string; port: number; addresses: Set<string> } | null = null;
  return {
    look: async (apiUrl) => {
      const { hostname, port, protocol } = new URL(apiUrl);
      const host = hostname.replace(/^\[|\]$/g, '');
      const found = await lookup(host, { all: true }).catch(() => []);
      const same = known?.host === host ? known.addresses : [];
      known = {
        host,
        port: Number(port) || (protocol === 'https:' ? 443 : 80),
        // An open connection outlives a change in the DNS: earlier addresses stay.
        addresses: new Set([...same, ...found.map(({ address }) => address)]),
      };
    },
    list: () => {
      const { addresses = [], port = 0 } = known ?? {};
      return [...addresses].map((address) => ({ address, port }));
    },
  };
}
