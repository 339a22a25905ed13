import type { enrollmentRoutes } from '#contract/enrollment.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import { deleteRecordingKeys } from '../recording-keys/recording-key-queries.ts';
import type { AdminCaller } from '../http/caller.ts';
import type { Handlers } from '../handler.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { deviceLock } from '../storage/locks.ts';
import type { Tx } from '../storage/transaction.ts';
import { noPendingEnrollment } from './enroll.ts';
import {
  updateEnrollmentState,
  findEnrollmentState,
  type PendingEnrollment,
  revokeCertificates,
  type EnrollmentState,
  enrollmentSettingsOf,
  putEnrollmentSettings,
} from './queries.ts';
import { type AuditedDevice, auditedDevice } from './audit-enrollment.ts';

export const deviceStatusHandlers: Handlers<typeof enrollmentRoutes> = {
  getEnrollmentSettings: (context, { caller }) =>
    enrollmentSettingsOf(context.storage.db, caller.tenantId),

  async putEnrollmentSettings(context, request) {
    const { caller, body } = request;
    const updated_by = displayNameOf(caller);
    await withAudit(context, request, async (tx, audit) => {
      const before = await enrollmentSettingsOf(tx.db, caller.tenantId);
      const stamp = { updated_at: context.now(), updated_by };
      await putEnrollmentSettings(tx, caller.tenantId, body, stamp);
      const of = { resource_type: 'settings', resource_id: 'enrollment' };
      audit({ action: 'settings.update', ...of, before, after: body });
    });
    return body;
  },

  approveDevice: (context, request) =>
    change(context, request, 'device.approve', {}, async (tx, device) => {
      const key = device.pending_key;
      if (key === null)
        throw new ApiError('invalid_state', `device ${device.id} is not waiting for approval`);
      if (request.body.key !== undefined && request.body.key !== key)
        throw new ApiError(
          'version_conflict',
          `device ${device.id} has since requested enrollment with another key`,
        );
      await updateEnrollmentState(tx, request.caller.tenantId, device.id, {
        ...noPendingEnrollment,
        status: 'active',
        identity_key: key,
      });
      const by = displayNameOf(request.caller);
      const { tenantId } = request.caller;
      await context.notify(tx, { event: 'device.enrolled', tenantId, device, by });
      return 'active';
    }),

  revokeDevice: (context, request) =>
    change(
      context,
      request,
      'device.revoke',
      { reason: request.body.reason },
      async (tx, device) => {
        const { tenantId } = request.caller;
        if (device.status === 'revoked')
          throw new ApiError('already_done', `device ${device.id} is already revoked`);
        const state = { ...noPendingEnrollment, status: 'revoked', identity_key: null } as const;
        await updateEnrollmentState(tx, tenantId, device.id, state);
        await revokeCertificates(tx, tenantId, device.id, context.now());
        await deleteRecordingKeys(tx, tenantId, device.id);
        const by = displayNameOf(request.caller);
        await context.notify(tx, { event: 'device.revoked', tenantId, device, by });
        return 'revoked';
      },
    ),

  restoreDevice: (context, request) =>
    change(context, request, 'device.restore', {}, async (tx, device) => {
      if (device.status !== 'revoked')
        throw new ApiError('invalid_state', `device ${device.id} is not revoked`);
      await updateEnrollmentState(tx, request.caller.tenantId, device.id, { status: 'pending' });
      return 'pending';
    }),
};

interface DeviceRequest {
  caller: AdminCaller;
  address: string;
  params: { id: string };
}

/** Applies one decision about a device, also to its open connections. */
async function change(
  context: Context,
  request: DeviceRequest,
  action: string,
  metadata: Record<string, unknown>,
  work: (tx: Tx, device: EnrollmentState) => Promise<AuditedDevice['status']>,
): Promise<AuditedDevice> {
  const { tenantId } = request.caller;
  const answer = await withAudit(context, request, async (tx, audit) => {
    const { hardware_id } = await existing(tx, tenantId, request.params.id);
    await tx.lock(deviceLock(tenantId, hardware_id));
    const device = await existing(tx, tenantId, request.params.id);
    const after = { ...auditedDevice(device), status: await work(tx, device) };
    const entry = { ...metadata, ...pendingRequestOf(device) };
    const of = { resource_type: 'device', resource_id: device.id, metadata: entry };
    audit({ action, ...of, before: auditedDevice(device), after });
    return after;
  });
  const of = { tenant_id: tenantId, device_id: answer.id };
  for (const topic of ['devices', 'identities'] as const)
    context.storage.signals.publish({ ...of, topic });
  return answer;
}

/** Returns metadata for the audit log: the request that was pending when the decision was made. */
const pendingRequestOf = ({
  pending_key: key,
  pending_request: as,
}: EnrollmentState): Record<string, unknown> =>
  key === null || as === null ? {} : { key, asked_as: JSON.parse(as) as PendingEnrollment };

async function existing(tx: Tx, tenantId: string, id: string): Promise<EnrollmentState> {
  const device = await findEnrollmentState(tx.db, tenantId, id);
  if (!device) throw new ApiError('not_found', `there is no device ${id}`);
  return device;
}
