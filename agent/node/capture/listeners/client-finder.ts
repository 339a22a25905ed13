import { unknownClient } from './capture-listener.ts';
import type { ClientFinder } from './client-process.ts';

const unsupportedFinder: ClientFinder = { find: async () => unknownClient, close: () => undefined };

/** Loaded only on their own system: each binds native functions. */
const openers: Partial<Record<string, () => Promise<ClientFinder>>> = {
  linux: async () => (await import('./client-process-linux.ts')).openLinuxClients(),
  darwin: async () => (await import('./client-process-darwin.ts')).openDarwinClients(),
};

export async function openClientFinder(system: string = process.platform): Promise<ClientFinder> {
  return (await openers[system]?.()) ?? unsupportedFinder;
}
