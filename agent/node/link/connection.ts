import type { ManagedConfig } from '#contract/deployment.ts';
import type { Credentials } from '../identity/credentials.ts';
import type { Problems } from '../status/problems.ts';
import type { ControlPlaneClient } from './control-plane-client.ts';
import { createControlPlaneClient } from './control-plane-client.ts';
import { describeFailure, type RequestFailure } from './request-failure.ts';
import { readTrustedRoots } from '../identity/trusted-roots.ts';

export interface ConnectionOptions {
  managed: () => ManagedConfig | null;
  credentials: Credentials;
  trustedRootsFile: string | null;
  problems: Problems;
  /** Called when the control plane has accepted this device's certificate. */
  onAccepted: () => void;
  /** Called when the control plane does not know this identity. */
  onRefused: () => void;
  /** Called with the number of bytes sent. */
  onSent?: (bytes: number) => void;
}

export type RequestResult<T> =
  | { kind: 'answered'; response: T }
  | { kind: 'failed'; failure: RequestFailure }
  | { kind: 'not_sent' };

export interface Connection {
  /**
   * Returns a client with this device's certificate; null while there is no identity or no address.
   */
  asDevice(): ControlPlaneClient | null;
  /**
   * Sends a request as the device. A failure becomes a problem of `part`, or of the control plane
   * if it cannot be reached; a success ends both problems. The result is `not_sent` if this device
   * has no identity or no address, or is stopping.
   */
  request<T>(
    part: string,
    signal: AbortSignal,
    call: (device: ControlPlaneClient['device']) => Promise<T>,
  ): Promise<RequestResult<T>>;
  /** Sends a request with the API key, for a device that has no identity yet. */
  requestWithApiKey: Connection['request'];
  /**
   * Returns the number of requests with the device's certificate that the control plane has
   * accepted.
   */
  acceptedCount(): number;
  close(): void;
}

/** The connection of this device to its control plane. */
export function createConnection(options: ConnectionOptions): Connection {
  const { managed, credentials, problems } = options;
  let acceptedCount = 0;
  let current: { key: string; client: ControlPlaneClient } | null = null;

  const create = (
    address: ManagedConfig,
    auth: Pick<Parameters<typeof createControlPlaneClient>[0], 'identity' | 'headers'>,
  ): ControlPlaneClient | null => {
    const read = readTrustedRoots(options.trustedRootsFile, credentials.roots());
    problems.set('trusted roots', 'error' in read ? [read.error] : []);
    if ('error' in read) return null;
    const { onSent } = options;
    const sent = onSent ? { onSent } : {};
    return createControlPlaneClient({
      apiUrl: address.api_url,
      roots: read.roots,
      ...sent,
      ...auth,
    });
  };

  const asDevice = (): ControlPlaneClient | null => {
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

  const reportOutcome = (part: string, failure: RequestFailure | null): void => {
    const unreachable = failure?.errorClass === 'unreachable';
    problems.set('control plane', unreachable ? [failure.line] : []);
    const isProblem = failure !== null && failure.errorClass !== 'waiting';
    if (!unreachable) problems.set(part, isProblem ? [failure.line] : []);
  };

  const attemptCall = async <T>(
    client: ControlPlaneClient,
    part: string,
    signal: AbortSignal,
    call: (device: ControlPlaneClient['device']) => Promise<T>,
  ): Promise<RequestResult<T>> => {
    try {
      const response = await call(client.device);
      reportOutcome(part, null);
      return { kind: 'answered', response };
    } catch (error) {
      if (signal.aborted) return { kind: 'not_sent' };
      const failure = describeFailure(error, client.origin);
      reportOutcome(part, failure);
      return { kind: 'failed', failure };
    }
  };

  return {
    asDevice,
    request: async (part, signal, call) => {
      const client = asDevice();
      if (!client) return { kind: 'not_sent' };
      const result = await attemptCall(client, part, signal, call);
      if (result.kind === 'answered') {
        acceptedCount += 1;
        options.onAccepted();
      }
      // A response to the previous certificate does not concern the current one.
      else if (isRefused(result) && current?.client === client) options.onRefused();
      return result;
    },
    requestWithApiKey: async (part, signal, call) => {
      const address = managed();
      const client = address && create(address, { headers: { 'x-svc-key': address.api_key } });
      if (!client) return { kind: 'not_sent' };
      const result = await attemptCall(client, part, signal, call);
      client.close();
      return result;
    },
    acceptedCount: () => acceptedCount,
    close: () => current?.client.close(),
  };
}

const isRefused = (result: RequestResult<unknown>): boolean =>
  result.kind === 'failed' && result.failure.identityRefused;
