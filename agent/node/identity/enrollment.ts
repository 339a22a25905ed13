import type { Enrollment } from '#contract/device-protocol.ts';
import { enrollment } from '#contract/device-protocol.ts';
import { createCsr } from '#pki/csr.ts';
import type { KeyPair } from '#pki/keys.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { checkIssued } from './issued-certificates.ts';
import type { ControlPlaneClient } from '../link/control-plane-client.ts';
import { UnexpectedResponse } from '../link/request-failure.ts';

/**
 * Requests certificates, with a client that sends the API key. Only the keys are stored. Throws the
 * client's errors, and UnexpectedResponse if the certificates do not match the request.
 */
export async function enroll(
  device: ControlPlaneClient['device'],
  credentials: Credentials,
  facts: DeviceFacts,
  signal: AbortSignal,
): Promise<Enrollment> {
  const keys = await readKeys(credentials);
  const commonName = facts.hostname.slice(0, 64);
  const body = {
    ...facts,
    identity_csr: await createCsr({ ...keys.identity, commonName }),
    ca_csr: await createCsr({ ...keys.intermediate, commonName: 'capture' }),
  };
  return parseIssued(await device.enroll({ body }, { signal }), keys, null);
}

interface Keys {
  identity: KeyPair;
  intermediate: KeyPair;
}

/** Returns the keys of the identity and of the intermediate, generated on first use. */
export async function readKeys(credentials: Credentials): Promise<Keys> {
  return {
    identity: await credentials.keys('identity'),
    intermediate: await credentials.keys('intermediate'),
  };
}

/** Returns the issued certificates after checking that they match the request. */
export function parseIssued(response: unknown, keys: Keys, deviceId: string | null): Enrollment {
  const issued = enrollment.parse(response);
  const problem = checkIssued(issued, {
    identityPublicKeyPem: keys.identity.publicKeyPem,
    intermediatePublicKeyPem: keys.intermediate.publicKeyPem,
    deviceId,
    now: Date.now(),
  });
  if (problem !== null) throw new UnexpectedResponse(problem);
  return issued;
}
