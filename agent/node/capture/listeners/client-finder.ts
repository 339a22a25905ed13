import { unknownClient } from './capture-listener.ts';
import type { ClientFinder } from './client-process.ts';
import type { OnSearchFailure } from './search-failure.ts';

const noClientFinder: ClientFinder = { find: async () => unknownClient, close: () => undefined };

type OpenFinder = (onFailure: OnSearchFailure) => Promise<ClientFinder>;

/** Modules that bind native functions and are loaded only on their own system. */
const openers: Partial<Record<string, OpenFinder>> = {
  linux: async (onFailure) =>
    (await import('./client-process-linux.ts')).openLinuxClients({ onFailure }),
  darwin: async (onFailure) =>
    (await import('./client-process-darwin.ts')).openDarwinClients({ onFailure }),
};

export async function openClientFinder(
  onFailure: OnSearchFailure = () => undefined,
  system: string = process.platform,
): Promise<ClientFinder> {
  return (await openers[system]?.(onFailure)) ?? noClientFinder;
}
