import type { DeviceConfig, Enrollment } from '#contract/device.ts';
import { issueIdentity, issueIntermediate } from '#pki/authority.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { CsrFacts } from '#pki/csr.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import { loadAuthority, type TenantIssuer } from '../authorities/device-authority.ts';
import { configOfDevice } from '../guard/device-config.ts';
import {
  insertIdentity,
  insertIntermediate,
  listIntermediates,
  listLiveRoots,
  revokeIntermediates,
} from './queries.ts';
import { tooWide } from './rules.ts';

export interface Requests {
  identity: CsrFacts;
  /** Standard EST clients do not issue certificates and do not request a CA. */
  ca: CsrFacts | null;
}

/** Issues the identity and, if capture is on for some host, the intermediate CA for those hosts. */
export async function certify(
  context: Context,
  db: Db,
  device: DeviceCaller,
  requests: Requests,
): Promise<Enrollment> {
  const root = await loadAuthority(context, db, device.tenantId);
  const config = await configOfDevice(db, device.tenantId, device.deviceId);
  const more = await listLiveRoots(db, device.tenantId);
  return {
    device_id: device.deviceId,
    identity_certificate: await certifyIdentity(context, db, device, root, requests.identity),
    intermediate_certificate: await certifyCapture(context, db, device, root, requests.ca, config),
    root_certificate: root.certificatePem,
    root_certificates: more,
    config,
  };
}

async function certifyIdentity(
  context: Context,
  db: Db,
  { tenantId, deviceId }: DeviceCaller,
  root: TenantIssuer,
  csr: CsrFacts,
): Promise<string> {
  const now = context.now();
  const identity = await issueIdentity(root, { csr, deviceId, now });
  const facts = describeCertificate(identity);
  await insertIdentity(db, {
    tenant_id: tenantId,
    device_id: deviceId,
    fingerprint: facts.fingerprint256,
    serial: facts.serial,
    issued_at: now,
    expires_at: facts.notAfter,
    revoked_at: null,
    authority_id: root.id,
  });
  return identity;
}

/** Revokes earlier intermediates that allow more than the device may now intercept. */
async function certifyCapture(
  context: Context,
  db: Db,
  { tenantId, deviceId }: DeviceCaller,
  root: TenantIssuer,
  csr: CsrFacts | null,
  config: DeviceConfig,
): Promise<string | null> {
  const now = context.now();
  const hosts = config.capture_enabled ? config.intercept_hosts : [];
  const earlier = await listIntermediates(db, tenantId, deviceId, now);
  await revokeIntermediates(db, tenantId, deviceId, tooWide(earlier, hosts), now);
  if (hosts.length === 0 || csr === null) return null;
  const intermediate = await issueIntermediate(root, { csr, deviceId, hosts, now });
  const facts = describeCertificate(intermediate);
  await insertIntermediate(db, {
    tenant_id: tenantId,
    device_id: deviceId,
    serial: facts.serial,
    authority_id: root.id,
    hosts: JSON.stringify(hosts),
    issued_at: now,
    expires_at: facts.notAfter,
    revoked_at: null,
  });
  return intermediate;
}
