import type { Configuration } from 'openid-client';
import type { OidcSettings } from '../../config.ts';

const TOLERANCE_SECONDS = 60;
const TIMEOUT_SECONDS = 10;

/** Loads the client on demand, because it is only used for OIDC sign-in. */
export const loadClient = () => import('openid-client');

/**
 * Returns the discovery document of a provider. It is cached, and requested again after a failure.
 */
export type DiscoverProvider = (settings: OidcSettings) => Promise<Configuration>;

export function createDiscovery(): DiscoverProvider {
  const discovered = new Map<OidcSettings, Promise<Configuration>>();
  return (settings) => {
    const pending = discovered.get(settings) ?? discover(settings);
    discovered.set(settings, pending);
    pending.catch(() => discovered.delete(settings));
    return pending;
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await loadClient();
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: TOLERANCE_SECONDS };
  // Signatures are verified even though the tokens come directly from the provider over TLS.
  const execute = [client.enableNonRepudiationChecks];
  if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
  return client.discovery(issuer, clientId, metadata, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
  });
}
