import { createHash, createPublicKey } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import { CsrError, type CsrFacts, readCsr } from '#pki/csr.ts';
import { isId } from '../lib/ids.ts';

export interface SigningRequests {
  identity: CsrFacts;
  /** Null for standard EST clients, which do not issue certificates and do not request a CA. */
  ca: CsrFacts | null;
}

/** @throws ApiError `validation_error` that names the field */
export async function readSigningRequests(body: {
  identity_csr: string;
  ca_csr: string;
}): Promise<SigningRequests> {
  const identity = await readSigningRequest(body.identity_csr, 'identity_csr');
  const ca = await readSigningRequest(body.ca_csr, 'ca_csr');
  // The CA key must differ from the identity key, so that it can neither authenticate as the device
  // nor be revoked with it.
  if (publicKeyHash(ca) === publicKeyHash(identity))
    throw new ApiError(
      'validation_error',
      'ca_csr: expected a key other than that of identity_csr',
      {
        field: 'ca_csr',
      },
    );
  return { identity, ca };
}

/** @throws ApiError `validation_error` that names the field */
export async function readSigningRequest(pem: string, field: string): Promise<CsrFacts> {
  try {
    return await readCsr(pem);
  } catch (error) {
    if (!(error instanceof CsrError)) throw error;
    throw new ApiError('validation_error', `${field}: ${error.message}`, { field });
  }
}

/** Returns the SHA-256 of the public key in hex, which identifies a key. */
export const publicKeyHash = ({ publicKeyPem }: CsrFacts): string =>
  createHash('sha256')
    .update(createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** Refuses a request that names another device. */
export function refuseForeignId(requests: SigningRequests, deviceId: string | undefined): void {
  for (const [field, csr] of Object.entries(requests)) {
    const foreign = deviceIdsOf(csr).find((named) => named !== deviceId);
    if (foreign !== undefined)
      throw new ApiError('identity_mismatch', `${field}_csr: names another device: ${foreign}`, {
        field: `${field}_csr`,
      });
  }
}

/**
 * Returns the devices that a request names, by its URI or by a common name in the format of our
 * ids.
 */
const deviceIdsOf = (csr: CsrFacts | null): string[] => {
  if (!csr) return [];
  const named = isId('dev', csr.commonName) ? [csr.commonName] : [];
  return csr.deviceId === null ? named : [...named, csr.deviceId];
};
