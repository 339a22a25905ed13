import type { Enrollment } from '#contract/device-protocol.ts';
import { createCsr } from '#pki/csr.ts';
import type { Connection } from '../link/connection.ts';
import type { ControlPlaneClient } from '../link/control-plane-client.ts';
import type { Credentials } from './credentials.ts';
import { parseIssued, readKeys } from './enrollment.ts';

export interface RenewalOptions {
  credentials: Credentials;
  connection: Connection;
  /** Aborts the request when the agent stops. */
  signal: AbortSignal;
}

/**
 * Renews the certificates of an enrolled device. Returns null if it has no identity, or if the
 * request failed, which the connection reports as a problem.
 */
export async function renewCertificates(options: RenewalOptions): Promise<Enrollment | null> {
  const { credentials, connection, signal } = options;
  const deviceId = credentials.get('identity')?.deviceId;
  if (!deviceId) return null;
  const result = await connection.request('renewal', signal, (device) =>
    renew(device, credentials, deviceId, signal),
  );
  return result.kind === 'answered' ? result.response : null;
}

/**
 * Like `enroll`, but with the certificate of this device, for the same keys and the current hosts.
 */
async function renew(
  device: ControlPlaneClient['device'],
  credentials: Credentials,
  deviceId: string,
  signal: AbortSignal,
): Promise<Enrollment> {
  const keys = await readKeys(credentials);
  const body = {
    identity_csr: await createCsr({ ...keys.identity, commonName: deviceId, deviceId }),
    ca_csr: await createCsr({ ...keys.intermediate, commonName: 'capture', deviceId }),
  };
  return parseIssued(await device.renew({ body }, { signal }), keys, deviceId);
}
