import { ApiError } from '#contract/errors.ts';
import type { deviceRoutes, EnrollBody, Enrollment } from '#contract/device.ts';
import { issueIdentity, issueIntermediate } from '#pki/authority.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { CsrError, type CsrFacts, readCsr } from '#pki/csr.ts';
import type { Context } from '../../context.ts';
import type { Handlers, KeyCaller } from '../../http/call.ts';
import type { Db } from '../../storage/open.ts';
import { loadAuthority } from '../authority.ts';
import { configOfDevice } from '../guard/device-config.ts';
import { findDeviceByHardware, insertIdentity, revokeIdentities, upsertDevice } from './queries.ts';

interface Requests {
  identity: CsrFacts;
  ca: CsrFacts;
}

export const enrollmentHandlers: Pick<Handlers<typeof deviceRoutes>, 'enroll' | 'renew'> = {
  async enroll(context, { caller, body }) {
    const requests = await readRequests(body);
    const { db, signals } = context.storage;
    const enrollment = await db.transaction().execute(async (trx) => {
      const deviceId = await registerDevice(context, trx, caller, body, requests);
      await revokeIdentities(trx, caller.tenantId, deviceId, context.now());
      return certify(context, trx, { tenantId: caller.tenantId, deviceId }, requests);
    });
    const device_id = enrollment.device_id;
    signals.publish({ tenant_id: caller.tenantId, topic: 'devices', device_id });
    return enrollment;
  },

  async renew(context, { caller, body }) {
    const requests = await readRequests(body);
    refuseForeignId(requests, caller.deviceId);
    return context.storage.db
      .transaction()
      .execute((trx) => certify(context, trx, caller, requests));
  },
};

async function readRequests(body: { identity_csr: string; ca_csr: string }): Promise<Requests> {
  const read = async (field: 'identity_csr' | 'ca_csr'): Promise<CsrFacts> => {
    try {
      return await readCsr(body[field]);
    } catch (error) {
      if (!(error instanceof CsrError)) throw error;
      throw new ApiError('validation_error', `${field}: ${error.message}`, { field });
    }
  };
  return { identity: await read('identity_csr'), ca: await read('ca_csr') };
}

/** A request may name the device that it is for, and no other. */
function refuseForeignId(requests: Requests, deviceId: string | undefined): void {
  for (const [field, { deviceId: named }] of Object.entries(requests))
    if (named !== null && named !== deviceId)
      throw new ApiError('forbidden', `${field}_csr: names ${named}, which is another device`, {
        field: `${field}_csr`,
      });
}

async function registerDevice(
  context: Context,
  db: Db,
  caller: KeyCaller,
  body: EnrollBody,
  requests: Requests,
): Promise<string> {
  const known = await findDeviceByHardware(db, caller.tenantId, body.hardware_id);
  refuseForeignId(requests, known?.id);
  if (known?.status === 'revoked')
    throw new ApiError('forbidden', `device ${known.id} is revoked and may not enroll again`);
  const { identity_csr: _identity, ca_csr: _ca, ...description } = body;
  const now = context.now();
  return upsertDevice(db, {
    ...description,
    tenant_id: caller.tenantId,
    id: known?.id ?? context.newId('dev'),
    status: 'active',
    api_key_id: caller.keyId,
    enrolled_at: now,
    last_seen: now,
    disconnected_at: now,
    applied_version: 0,
    problems: '[]',
    scanned_at: null,
  });
}

/** Issues the identity and, when capture is on for some host, the intermediate for those hosts. */
async function certify(
  context: Context,
  db: Db,
  device: { tenantId: string; deviceId: string },
  requests: Requests,
): Promise<Enrollment> {
  const { tenantId, deviceId } = device;
  const now = context.now();
  const root = await loadAuthority(context, db, tenantId);
  const config = await configOfDevice(db, tenantId, deviceId);
  const identity = await issueIdentity(root, { csr: requests.identity, deviceId, now });
  const facts = describeCertificate(identity);
  await insertIdentity(db, {
    tenant_id: tenantId,
    device_id: deviceId,
    fingerprint: facts.fingerprint256,
    serial: facts.serial,
    issued_at: now,
    expires_at: facts.notAfter,
    revoked_at: null,
  });
  const hosts = config.capture_enabled ? config.intercept_hosts : [];
  return {
    device_id: deviceId,
    identity_certificate: identity,
    intermediate_certificate:
      hosts.length > 0
        ? await issueIntermediate(root, { csr: requests.ca, deviceId, hosts, now })
        : null,
    root_certificate: root.certificatePem,
    config,
  };
}
