import { ApiError } from '#contract/errors.ts';
import type { estRoutes } from '#contract/est.ts';
import { certsOnly } from '#pki/certs-only.ts';
import { deviceUri } from '#pki/device-uri.ts';
import type { Handlers } from '../handler.ts';
import { isWaiting } from '../http/output.ts';
import { firstTenant } from '../tenants/queries.ts';
import { tenantOfHost } from '../lib/device-address.ts';
import { enrollDevice } from './enroll.ts';
import { renewDevice } from './renew.ts';
import { listLiveRoots } from '../authorities/queries.ts';
import { describeClient, readEstRequest } from './est-request.ts';

/**
 * CSR attributes in the format of RFC 7030, section 4.5.2: a key on P-256 (the attribute
 * ecPublicKey with prime256v1), and a signature with ECDSA and SHA-256.
 */
const CSR_ATTRIBUTES = 'MCEwFQYHKoZIzj0CATEKBggqhkjOPQMBBwYIKoZIzj0EAwI=\n';

type SetHeader = (name: string, value: string) => void;

export const estHandlers: Handlers<typeof estRoutes> = {
  /**
   * Returns the roots. They are public, so the host name in the request need not be authenticated.
   */
  async getCaCertificates(context, { header, setHeader }) {
    const { db } = context.storage;
    const host = URL.parse(`https://${header('host')}`)?.hostname ?? '';
    const named = tenantOfHost(context.urls.device, host);
    const roots = named === null ? [] : await listLiveRoots(db, named);
    if (roots.length === 0) roots.push(...(await listLiveRoots(db, (await firstTenant(db)).id)));
    setHeader('Content-Transfer-Encoding', 'base64');
    return base64Of(roots);
  },

  getCsrAttributes(_context, { setHeader }) {
    setHeader('Content-Transfer-Encoding', 'base64');
    return CSR_ATTRIBUTES;
  },

  async simpleEnroll(context, request) {
    const identity = await readEstRequest(request.body.bytes);
    const description = describeClient(identity);
    const answer = await enrollDevice(context, request, description, { identity, ca: null });
    if (isWaiting(answer)) return answer;
    return issued(answer.identity_certificate, request.setHeader);
  },

  async simpleReenroll(context, { caller, body, setHeader }) {
    const identity = await readEstRequest(body.bytes);
    const { deviceId } = caller;
    const [name, ...more] = identity.names;
    if (identity.subject !== `CN=${deviceId}` || name !== `url:${deviceUri(deviceId)}` || more[0])
      throw new ApiError(
        'validation_error',
        `body: expected the names of the certificate to renew: CN=${deviceId}, ` +
          `SAN URI ${deviceUri(deviceId)}`,
      );
    const answer = await renewDevice(context, caller, { identity, ca: null });
    return issued(answer.identity_certificate, setHeader);
  },
};

function issued(certificatePem: string, setHeader: SetHeader): Uint8Array {
  setHeader('Content-Transfer-Encoding', 'base64');
  return Buffer.from(base64Of([certificatePem]));
}

/** Encodes certificates in base64 lines, as required by MIME. */
const base64Of = (certificatePems: readonly string[]): string =>
  Buffer.from(certsOnly(certificatePems))
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
