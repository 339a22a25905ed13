import { openTransparentProxy } from '../transparent-linux.ts';
import type { TransparentProxy, TransparentProxyOptions } from '../transparent-linux.ts';
import { sendBanner } from './banner.ts';
import { clientMethods } from './client-methods.ts';
import { serve } from './remote.ts';

// An agent with only the transparent listener, which itself answers all diverted connections.
let listener: TransparentProxy;
let addressesByHost: Record<string, string[]> = {};

type Options = Pick<TransparentProxyOptions, 'nft' | 'holdSeconds'>;

const methods = {
  ...clientMethods,
  open: async (addresses: Record<string, string[]>, options: Options = {}) => {
    addressesByHost = addresses;
    listener = await openTransparentProxy({
      ...options,
      lookup: async (host) => addressesByHost[host] ?? [],
      onProblem: (line) => emitEvent('problem', line),
      onConnection({ socket, destination, client: found }) {
        sendBanner('agent', socket);
        void found.then((client) => emitEvent('taken', { destination, client }));
      },
    });
  },
  setHosts: (hosts: string[]) => listener.setHosts(hosts),
  addResolved: (host: string, addresses: string[]) => listener.addResolved(host, addresses, 60),
  addresses: () => Object.fromEntries(listener.addresses()),
  closeListener: () => listener.close(),
};
export type AgentMethods = typeof methods;

const emitEvent = serve(methods);
