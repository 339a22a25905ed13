import type { Enrollment } from '#contract/device.ts';
import { enrollment } from '#contract/device.ts';
import { createCsr } from '#pki/csr.ts';
import type { KeyPair } from '#pki/keys.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { checkIssued } from './issued-certificates.ts';
import type { ServiceClient } from './service-client.ts';
import { UnexpectedAnswer } from './service-failure.ts';

type Device = ServiceClient['device'];

/**
 * Asks for certificates, with a client that carries the API key. Only keys are stored. Throws
 * what the client throws, and UnexpectedAnswer if the certificates are not what was asked for.
 */
export async function enroll(
  device: Device,
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
  return check(await device.enroll({ body }, { signal }), keys, null);
}

/** As `enroll`, with the certificate of this device: for the same keys and the hosts of now. */
export async function renew(
  device: Device,
  credentials: Credentials,
  deviceId: string,
  signal: AbortSignal,
): Promise<Enrollment> {
  const keys = await readKeys(credentials);
  const body = {
    identity_csr: await createCsr({ ...keys.identity, commonName: deviceId, deviceId }),
    ca_csr: await createCsr({ ...keys.intermediate, commonName: 'capture', deviceId }),
  };
  return check(await device.renew({ body }, { signal }), keys, deviceId);
}

interface Keys {
  identity: KeyPair;
  intermediate: KeyPair;
}

async function readKeys(credentials: Credentials): Promise<Keys> {
  return {
    identity: await credentials.keys('identity'),
    intermediate: await credentials.keys('intermediate'),
  };
}

function check(answer: unknown, keys: Keys, deviceId: string | null): Enrollment {
  const issued = enrollment.parse(answer);
  const wrong = checkIssued(issued, {
    identityPublicKeyPem: keys.identity.publicKeyPem,
    intermediatePublicKeyPem: keys.intermediate.publicKeyPem,
    deviceId,
    now: Date.now(),
  });
  if (wrong !== null) throw new UnexpectedAnswer(wrong);
  return issued;
}
