import type { deviceRoutes } from '#contract/device-protocol.ts';
import { ApiError } from '#contract/errors.ts';
import { CsrError, type CsrFacts, readCsr } from '#pki/csr.ts';
import type { Handlers } from '../handler.ts';
import { publicKeyHash, type SigningRequests } from './certify.ts';
import { enrollDevice } from './enroll.ts';
import { renewDevice } from './renew.ts';

export const enrollmentHandlers: Pick<Handlers<typeof deviceRoutes>, 'enroll' | 'renew'> = {
  async enroll(context, call) {
    const { identity_csr: _identity, ca_csr: _ca, ...description } = call.body;
    return enrollDevice(context, call, description, await readRequests(call.body));
  },

  async renew(context, { caller, body }) {
    return renewDevice(context, caller, await readRequests(body));
  },
};

async function readRequests(body: {
  identity_csr: string;
  ca_csr: string;
}): Promise<SigningRequests> {
  const identity = await readRequest(body.identity_csr, 'identity_csr');
  const ca = await readRequest(body.ca_csr, 'ca_csr');
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
export async function readRequest(pem: string, field: string): Promise<CsrFacts> {
  try {
    return await readCsr(pem);
  } catch (error) {
    if (!(error instanceof CsrError)) throw error;
    throw new ApiError('validation_error', `${field}: ${error.message}`, { field });
  }
}
