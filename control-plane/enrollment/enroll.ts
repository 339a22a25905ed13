import type { Context } from '../context.ts';
import { checkNewDeviceRateLimit } from './enrollment-rate-limits.ts';
import {
  updateEnrollmentState,
  type EnrollmentColumns,
  findDeviceByHardware,
  type PendingEnrollment,
  revokeCertificates,
  type EnrollmentState,
  upsertDevice,
  enrollmentSettingsOf,
} from './queries.ts';
import type { EnrollBody, Enrollment, WaitingEnrollment } from '#contract/device-protocol.ts';
import { ApiError } from '#contract/errors.ts';
import type { KeyCaller } from '../http/caller.ts';
import { deviceLock } from '../storage/locks.ts';
import type { Tx } from '../storage/transaction.ts';
import { issueCertificates } from './issue-certificates.ts';
import { publicKeyHash, refuseForeignId, type SigningRequests } from './signing-requests.ts';
import { retryAfterSeconds, decideEnrollment } from './rules.ts';
import { type EnrollmentRequest, auditEnrollment } from './audit-enrollment.ts';

export type DeviceDescription = Omit<EnrollBody, 'identity_csr' | 'ca_csr'>;

/**
 * Enrolls a device, over either protocol. The same hardware id is the same device, and certificates
 * issued for its earlier keys are revoked.
 *
 * @throws ApiError `rate_limited`, or `forbidden` for a revoked device
 */
export async function enrollDevice(
  context: Context,
  { caller, address }: EnrollmentRequest,
  description: DeviceDescription,
  requests: SigningRequests,
): Promise<Enrollment | WaitingEnrollment> {
  const { tenantId, keyId } = caller;
  const attempt = { tenantId, keyId, hardwareId: description.hardware_id, address };
  context.rateLimits.enrollment(attempt, context.now());
  const { signals, transaction } = context.storage;
  const answer = await transaction(async (tx) => {
    await tx.lock(deviceLock(tenantId, description.hardware_id));
    return enrollInTransaction(tx, context, { caller, address }, description, requests);
  });
  const of = { tenant_id: tenantId, device_id: answer.device_id };
  signals.publish({ ...of, topic: 'devices' });
  if (!('status' in answer)) signals.publish({ ...of, topic: 'identities' });
  return answer;
}

async function enrollInTransaction(
  tx: Tx,
  context: Context,
  request: EnrollmentRequest,
  description: DeviceDescription,
  requests: SigningRequests,
): Promise<Enrollment | WaitingEnrollment> {
  const { caller } = request;
  const { tenantId } = caller;
  const settings = await enrollmentSettingsOf(tx.db, tenantId);
  const existing = await findDeviceByHardware(tx.db, tenantId, description.hardware_id);
  refuseForeignId(requests, existing?.id);
  if (!existing)
    await checkNewDeviceRateLimit(tx.db, caller, settings.new_devices_per_hour, context.now());
  const key = publicKeyHash(requests.identity);
  const decision = decideEnrollment(existing, key, settings.require_approval);
  if (decision === 'refuse')
    throw new ApiError(
      'device_revoked',
      `device ${existing?.id} is revoked and cannot enroll again`,
    );
  if (decision === 'wait')
    return storePendingRequest(tx, context, request, description, key, existing);
  const state = { ...noPendingEnrollment, status: 'active', identity_key: key } as const;
  const deviceId = await keepDevice(tx, context, caller, description, state, existing);
  if (existing) await revokeCertificates(tx, tenantId, deviceId, context.now());
  const answer = await issueCertificates(tx, context, { tenantId, deviceId }, requests);
  const after = { ...description, id: deviceId, status: state.status };
  if (existing?.identity_key !== key) {
    await context.notify(tx, {
      event: 'device.enrolled',
      tenantId,
      device: after,
      by: `API key ${caller.keyId}`,
    });
    await auditEnrollment(tx, context, request, key, after, existing);
  }
  return answer;
}

/**
 * Stores a request that waits for approval. An active device keeps its certificates, even if
 * another client requests enrollment in its name.
 */
async function storePendingRequest(
  tx: Tx,
  context: Context,
  request: EnrollmentRequest,
  description: DeviceDescription,
  key: string,
  existing: EnrollmentState | undefined,
): Promise<WaitingEnrollment> {
  const { caller, address } = request;
  const { hostname, user, os, os_version } = description;
  const pending: PendingEnrollment = { hostname, user, os, os_version, address };
  const since = existing?.pending_key === key ? existing.pending_since : null;
  const waiting = {
    pending_key: key,
    pending_since: since ?? context.now(),
    pending_request: JSON.stringify(pending),
  };
  const waited = context.now() - waiting.pending_since;
  const answer = { status: 'pending', retry_after: retryAfterSeconds(waited) } as const;
  if (existing?.status === 'active') {
    await updateEnrollmentState(tx, caller.tenantId, existing.id, waiting);
    return { ...answer, device_id: existing.id };
  }
  const state = { status: 'pending', identity_key: null, ...waiting } as const;
  const device_id = await keepDevice(tx, context, caller, description, state, existing);
  const after = { ...description, id: device_id, status: state.status };
  if (!existing) await auditEnrollment(tx, context, request, key, after, existing);
  return { ...answer, device_id };
}

export const noPendingEnrollment = {
  pending_key: null,
  pending_since: null,
  pending_request: null,
} as const;

function keepDevice(
  tx: Tx,
  context: Context,
  caller: KeyCaller,
  description: DeviceDescription,
  state: EnrollmentColumns,
  existing: EnrollmentState | undefined,
): Promise<string> {
  const now = context.now();
  return upsertDevice(tx, {
    ...description,
    ...state,
    tenant_id: caller.tenantId,
    id: existing?.id ?? context.newId('dev'),
    api_key_id: caller.keyId,
    registered_at: now,
    registered_by: caller.keyId,
    enrolled_at: (state.status === 'pending' && existing?.enrolled_at) || now,
    last_seen: now,
    disconnected_at: now,
    applied_version: 0,
    problems: '[]',
    scanned_at: null,
  });
}
