import type { DeviceConfig, Enrollment } from '#contract/device-protocol.ts';
import { issueIdentity, issueIntermediate } from '#pki/authority.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { CsrFacts } from '#pki/csr.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Tx } from '../storage/transaction.ts';
import { loadAuthority, type TenantIssuer } from '../authorities/device-authority.ts';
import { configOfDevice } from '../guard/device-config.ts';
import {
  insertIdentity,
  insertIntermediate,
  listIntermediates,
  revokeIntermediates,
} from './queries.ts';
import { listLiveRoots } from '../authorities/queries.ts';
import { excessiveIntermediates } from './rules.ts';
import type { SigningRequests } from './signing-requests.ts';

/**
 * Issues the identity and, if capture is enabled for any host, the intermediate CA for those hosts.
 * Signing is synchronous (`pki/immediate-crypto.ts`), so the transaction only waits for the
 * database.
 */
export async function issueCertificates(
  tx: Tx,
  context: Context,
  device: DeviceCaller,
  requests: SigningRequests,
): Promise<Enrollment> {
  const root = await loadAuthority(tx.db, context, device.tenantId);
  const config = await configOfDevice(tx.db, device.tenantId, device.deviceId);
  const more = await listLiveRoots(tx.db, device.tenantId);
  return {
    device_id: device.deviceId,
    identity_certificate: await issueAndStoreIdentity(tx, context, device, root, requests.identity),
    intermediate_certificate: await issueAndStoreIntermediate(
      tx,
      context,
      device,
      root,
      requests.ca,
      config,
    ),
    root_certificate: root.certificatePem,
    root_certificates: more,
    config,
  };
}

async function issueAndStoreIdentity(
  tx: Tx,
  context: Context,
  { tenantId, deviceId }: DeviceCaller,
  root: TenantIssuer,
  csr: CsrFacts,
): Promise<string> {
  const now = context.now();
  const identity = await issueIdentity(root, { csr, deviceId, now });
  const facts = describeCertificate(identity);
  await insertIdentity(tx, {
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

/**
 * Issues the intermediate CA, and revokes earlier intermediates that allow more than the device may
 * now intercept.
 */
async function issueAndStoreIntermediate(
  tx: Tx,
  context: Context,
  { tenantId, deviceId }: DeviceCaller,
  root: TenantIssuer,
  csr: CsrFacts | null,
  config: DeviceConfig,
): Promise<string | null> {
  const now = context.now();
  const hosts = config.capture_enabled ? config.intercept_hosts : [];
  const earlier = await listIntermediates(tx.db, tenantId, deviceId, now);
  await revokeIntermediates(tx, tenantId, deviceId, excessiveIntermediates(earlier, hosts), now);
  if (hosts.length === 0 || csr === null) return null;
  const intermediate = await issueIntermediate(root, { csr, deviceId, hosts, now });
  const facts = describeCertificate(intermediate);
  await insertIntermediate(tx, {
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
