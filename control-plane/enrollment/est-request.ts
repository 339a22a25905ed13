import { ApiError } from '#contract/errors.ts';
import type { CsrFacts } from '#pki/csr.ts';
import type { DeviceDescription } from './enroll.ts';
import { readSigningRequest } from './signing-requests.ts';

/**
 * Reads PKCS#10 in base64. PEM armor is tolerated.
 *
 * @throws ApiError
 */
export async function readEstRequest(body: Uint8Array): Promise<CsrFacts> {
  const base64 = Buffer.from(body)
    .toString('latin1')
    .replace(/^-----.*-----\s*$/gm, '')
    .trim();
  if (!/^[A-Za-z0-9+/=\s]+$/.test(base64))
    throw new ApiError(
      'validation_error',
      'body: expected PKCS#10 in base64, found something else',
    );
  const label = 'CERTIFICATE REQUEST';
  return readSigningRequest(`-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----`, 'body');
}

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,128}$/u;

/**
 * Describes the computer of an EST client by the subject of the request. The serial number, or else
 * the common name, is the hardware id.
 *
 * @throws ApiError
 */
export function describeClient({ serialNumber, commonName }: CsrFacts): DeviceDescription {
  const hardware_id = serialNumber || commonName;
  if (hardware_id.length < 8 || !printable.test(hardware_id))
    throw new ApiError(
      'validation_error',
      "body: expected a serialNumber or CN of 8 to 128 letters in the request's subject",
    );
  return {
    hardware_id,
    hostname: printable.test(commonName) ? commonName : hardware_id,
    os: 'unknown',
    os_version: '',
    agent_version: 'EST client',
    user: '',
    user_group: null,
  };
}
