import type { ManagedConfig } from '#contract/deployment.ts';
import type { Credentials } from './credentials.ts';
import type { Problems } from './problems.ts';
import type { ServiceClient } from './service-client.ts';
import { createServiceClient } from './service-client.ts';
import { describeFailure, type ServiceFailure } from './service-failure.ts';
import { readTrustedRoots } from './trusted-roots.ts';

export interface ConnectionOptions {
  managed: () => ManagedConfig | null;
  credentials: Credentials;
  trustedRootsFile: string | null;
  problems: Problems;
  /** The service took this device for who it says it is. */
  onAccepted: () => void;
  /** The service does not know this identity. */
  onRefused: () => void;
  /** So many bytes left this machine. */
  onSent?: (bytes: number) => void;
}

export type Answer<T> = { answer: T } | { failure: ServiceFailure } | { failure: null };

export interface Connection {
  /** A client with this device's certificate; null while there is no identity or no address. */
  asDevice(): ServiceClient | null;
  /**
   * Asks as the device. A failure becomes a problem of `part`, or of the control plane as a whole
   * if it cannot be reached; a success ends both. `failure: null` means that nothing was asked.
   */
  ask<T>(
    part: string,
    signal: AbortSignal,
    call: (device: ServiceClient['device']) => Promise<T>,
  ): Promise<Answer<T>>;
  /** Asks with the API key instead, for a device that has no identity yet. */
  askAsNewcomer: Connection['ask'];
  /** How often the service has done what it was asked as the device. */
  accepted(): number;
  close(): void;
}

/** The one way from this device to its control plane. */
export function createConnection(options: ConnectionOptions): Connection {
  const { managed, credentials, problems } = options;
  let accepted = 0;
  let current: { key: string; client: ServiceClient } | null = null;

  const create = (
    address: ManagedConfig,
    how: Pick<Parameters<typeof createServiceClient>[0], 'identity' | 'headers'>,
  ): ServiceClient | null => {
    const read = readTrustedRoots(options.trustedRootsFile, credentials.roots());
    problems.set('trusted roots', 'error' in read ? [read.error] : []);
    if ('error' in read) return null;
    const { onSent } = options;
    const sent = onSent ? { onSent } : {};
    return createServiceClient({ apiUrl: address.api_url, roots: read.roots, ...sent, ...how });
  };

  const asDevice = (): ServiceClient | null => {
    const address = managed();
    const identity = credentials.get('identity');
    if (!address || !identity) return null;
    const key = `${address.api_url} ${identity.fingerprint256}`;
    if (current?.key === key) return current.client;
    current?.client.close();
    const client = create(address, { identity });
    current = client && { key, client };
    return client;
  };

  const note = (part: string, failure: ServiceFailure | null): void => {
    const unreachable = failure?.kind === 'unreachable';
    problems.set('control plane', unreachable ? [failure.line] : []);
    const wrong = failure !== null && failure.kind !== 'waiting';
    if (!unreachable) problems.set(part, wrong ? [failure.line] : []);
  };

  const attempt = async <T>(
    client: ServiceClient,
    part: string,
    signal: AbortSignal,
    call: (device: ServiceClient['device']) => Promise<T>,
  ): Promise<Answer<T>> => {
    try {
      const answer = await call(client.device);
      note(part, null);
      return { answer };
    } catch (error) {
      if (signal.aborted) return { failure: null };
      const failure = describeFailure(error, client.origin);
      note(part, failure);
      return { failure };
    }
  };

  return {
    asDevice,
    ask: async (part, signal, call) => {
      const client = asDevice();
      if (!client) return { failure: null };
      const result = await attempt(client, part, signal, call);
      if ('answer' in result) {
        accepted += 1;
        options.onAccepted();
      }
      // An answer to the certificate before this one says nothing about this one.
      else if (result.failure?.identityRefused && current?.client === client) options.onRefused();
      return result;
    },
    askAsNewcomer: async (part, signal, call) => {
      const address = managed();
      const client = address && create(address, { headers: { 'x-svc-key': address.api_key } });
      if (!client) return { failure: null };
      const result = await attempt(client, part, signal, call);
      client.close();
      return result;
    },
    accepted: () => accepted,
    close: () => current?.client.close(),
  };
}
