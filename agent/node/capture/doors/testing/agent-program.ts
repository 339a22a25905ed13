import { openTransparentDoor } from '../transparent-linux.ts';
import type { TransparentDoor, TransparentDoorOptions } from '../transparent-linux.ts';
import { answerAs } from './banner.ts';
import { clientMethods } from './client-methods.ts';
import { serve } from './remote.ts';

// An agent with nothing but the transparent door, which answers itself whatever comes through.
let door: TransparentDoor;
let known: Record<string, string[]> = {};

type Options = Pick<TransparentDoorOptions, 'nft' | 'holdSeconds'>;

const methods = {
  ...clientMethods,
  open: async (addresses: Record<string, string[]>, options: Options = {}) => {
    known = addresses;
    door = await openTransparentDoor({
      ...options,
      lookup: async (host) => known[host] ?? [],
      onProblem: (line) => say('problem', line),
      onConnection({ socket, destination, client: found }) {
        answerAs('agent', socket);
        void found.then((who) => say('taken', { destination, client: who }));
      },
    });
  },
  setHosts: (hosts: string[]) => door.setHosts(hosts),
  learn: (host: string, addresses: string[]) => door.learn(host, addresses, 60),
  addresses: () => Object.fromEntries(door.addresses()),
  closeDoor: () => door.close(),
};
export type AgentMethods = typeof methods;

const say = serve(methods);
