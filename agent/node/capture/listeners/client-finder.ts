import { unknownClient } from './capture-listener.ts';
import type { ClientFinder } from './client-process.ts';

const noClientFinder: ClientFinder = { find: async () => unknownClient, close: () => undefined };

/** Modules that bind native functions and are loaded only on their own system. */
const openers: Partial<Record<string, () => Promise<ClientFinder>>> = {
  linux: async () => (await import('./client-process-linux.ts')).openLinuxClients(),
  darwin: async () => (await import('./client-process-darwin.ts')).openDarwinClients(),
};

export async function openClientFinder(system: string = process.platform): Promise<ClientFinder> {
  return (await openers[system]?.()) ?? noClientFinder;
}
