import type { EnrollBody, Enrollment, WaitingEnrollment } from '#contract/device.ts';
import { ApiError } from '#contract/errors.ts';
import type { CsrFacts } from '#pki/csr.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller, KeyCaller } from '../http/caller.ts';
import { isId } from '../lib/ids.ts';
import type { Trx } from '../storage/open.ts';
import { enrollmentSettingsOf } from './approval-queries.ts';
import { certify, type Requests } from './certify.ts';
import { keyOf } from './key-of.ts';
import { limitAttempts, limitNewDevices } from './limits.ts';
import { lockDevice } from './lock-device.ts';
import {
  updateEnrollmentState,
  type Decided,
  findDeviceByHardware,
  findEnrollmentState,
  type PendingEnrollment,
  revokeCertificates,
  type EnrollmentState,
  upsertDevice,
} from './queries.ts';
import { askAgainAfter, decideEnrollment } from './rules.ts';
import { type EnrollingCall, auditEnrollment } from './audit-enrollment.ts';

export type DeviceDescription = Omit<EnrollBody, 'identity_csr' | 'ca_csr'>;

/**
 * Enrolls a device, over either protocol. The same hardware id is the same device; certificates
 * issued to its earlier keys are revoked.
 *
 * @throws ApiError `rate_limited`, or `forbidden` for a revoked device
 */
export async function enrollDevice(
  context: Context,
  { caller, address }: EnrollingCall,
  description: DeviceDescription,
  requests: Requests,
): Promise<Enrollment | WaitingEnrollment> {
  const { tenantId, keyId } = caller;
  limitAttempts(context, { tenantId, keyId, hardwareId: description.hardware_id, address });
  const { db, signals } = context.storage;
  const answer = await db.transaction().execute(async (trx) => {
    await lockDevice(context, trx, tenantId, description.hardware_id);
    return enrollInTransaction(context, trx, { caller, address }, description, requests);
  });
  const of = { tenant_id: tenantId, device_id: answer.device_id };
  signals.publish({ ...of, topic: 'devices' });
  if (!('status' in answer)) signals.publish({ ...of, topic: 'identities' });
  return answer;
}

async function enrollInTransaction(
  context: Context,
  trx: Trx,
  call: EnrollingCall,
  description: DeviceDescription,
  requests: Requests,
): Promise<Enrollment | WaitingEnrollment> {
  const { caller } = call;
  const { tenantId } = caller;
  const settings = await enrollmentSettingsOf(trx, tenantId);
  const existing = await findDeviceByHardware(trx, tenantId, description.hardware_id);
  refuseForeignId(requests, existing?.id);
  if (!existing) await limitNewDevices(context, trx, caller, settings.new_devices_per_hour);
  const key = keyOf(requests.identity);
  const decision = decideEnrollment(existing, key, settings.require_approval);
  if (decision === 'refuse')
    throw new ApiError('forbidden', `device ${existing?.id} is revoked and cannot enroll again`);
  if (decision === 'wait') return wait(context, trx, call, description, key, existing);
  const state = { ...noPendingEnrollment, status: 'active', identity_key: key } as const;
  const deviceId = await keepDevice(context, trx, caller, description, state, existing);
  if (existing) await revokeCertificates(trx, tenantId, deviceId, context.now());
  const answer = await certify(context, trx, { tenantId, deviceId }, requests);
  const after = { ...description, id: deviceId, status: state.status };
  if (existing?.identity_key !== key)
    await auditEnrollment(context, trx, call, key, after, existing);
  return answer;
}

/** An active device keeps its certificates, even if another client requests enrollment in its name. */
async function wait(
  context: Context,
  trx: Trx,
  call: EnrollingCall,
  description: DeviceDescription,
  key: string,
  existing: EnrollmentState | undefined,
): Promise<WaitingEnrollment> {
  const { caller, address } = call;
  const { hostname, user, os, os_version } = description;
  const pending: PendingEnrollment = { hostname, user, os, os_version, address };
  const since = existing?.waiting_key === key ? existing.waiting_since : null;
  const waiting = {
    waiting_key: key,
    waiting_since: since ?? context.now(),
    waiting_as: JSON.stringify(pending),
  };
  const waited = context.now() - waiting.waiting_since;
  const answer = { status: 'pending', retry_after: askAgainAfter(waited) } as const;
  if (existing?.status === 'active') {
    await updateEnrollmentState(trx, caller.tenantId, existing.id, waiting);
    return { ...answer, device_id: existing.id };
  }
  const state = { status: 'pending', identity_key: null, ...waiting } as const;
  const device_id = await keepDevice(context, trx, caller, description, state, existing);
  const after = { ...description, id: device_id, status: state.status };
  if (!existing) await auditEnrollment(context, trx, call, key, after, existing);
  return { ...answer, device_id };
}

export const noPendingEnrollment = {
  waiting_key: null,
  waiting_since: null,
  waiting_as: null,
} as const;

function keepDevice(
  context: Context,
  trx: Trx,
  caller: KeyCaller,
  description: DeviceDescription,
  state: Decided,
  existing: EnrollmentState | undefined,
): Promise<string> {
  const now = context.now();
  return upsertDevice(trx, {
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

/**
 * Renews the certificates of an enrolled device. Checks revocation again within the transaction, as
 * it may have happened since authentication.
 *
 * @throws ApiError `unauthorized`
 */
export function renewDevice(
  context: Context,
  caller: DeviceCaller,
  requests: Requests,
): Promise<Enrollment> {
  refuseForeignId(requests, caller.deviceId);
  const { tenantId, deviceId } = caller;
  return context.storage.db.transaction().execute(async (trx) => {
    const { hardware_id } = (await findEnrollmentState(trx, tenantId, deviceId)) ?? {};
    if (hardware_id !== undefined) await lockDevice(context, trx, tenantId, hardware_id);
    const now = await findEnrollmentState(trx, tenantId, deviceId);
    if (now?.status !== 'active')
      throw new ApiError('unauthorized', 'the device certificate is revoked');
    await updateEnrollmentState(trx, tenantId, deviceId, {
      identity_key: keyOf(requests.identity),
    });
    return certify(context, trx, caller, requests);
  });
}

/** A request may name its own device only. */
function refuseForeignId(requests: Requests, deviceId: string | undefined): void {
  for (const [field, csr] of Object.entries(requests)) {
    const foreign = namedDevices(csr).find((named) => named !== deviceId);
    if (foreign !== undefined)
      throw new ApiError('forbidden', `${field}_csr: names another device: ${foreign}`, {
        field: `${field}_csr`,
      });
  }
}

/** By its URI, or by a common name in the format of our ids. */
const namedDevices = (csr: CsrFacts | null): string[] => {
  if (!csr) return [];
  const named = isId('dev', csr.commonName) ? [csr.commonName] : [];
  return csr.deviceId === null ? named : [...named, csr.deviceId];
};
