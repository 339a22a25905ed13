import type { enrollmentRoutes } from '#contract/enrollment.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import type { AdminCaller } from '../http/caller.ts';
import type { Handlers } from '../http/handler.ts';
import { nameOf } from '../identity/is-sub-user.ts';
import type { Trx } from '../storage/open.ts';
import { noPendingEnrollment } from './enroll.ts';
import { lockDevice } from './lock-device.ts';
import {
  updateEnrollmentState,
  findEnrollmentState,
  type PendingEnrollment,
  revokeCertificates,
  type EnrollmentState,
} from './queries.ts';
import { type AuditedDevice, auditedDevice } from './audit-enrollment.ts';
import { enrollmentSettingsOf, putEnrollmentSettings } from './approval-queries.ts';

export const approvalOfDevices: Handlers<typeof enrollmentRoutes> = {
  getEnrollmentSettings: (context, { caller }) =>
    enrollmentSettingsOf(context.storage.db, caller.tenantId),

  async putEnrollmentSettings(context, call) {
    const { caller, body } = call;
    const updated_by = nameOf(caller);
    await withAudit(context, call, async (trx, audit) => {
      const before = await enrollmentSettingsOf(trx, caller.tenantId);
      const stamp = { updated_at: context.now(), updated_by };
      await putEnrollmentSettings(trx, caller.tenantId, body, stamp);
      const of = { resource_type: 'settings', resource_id: 'enrollment' };
      await audit({ action: 'settings.update', ...of, before, after: body });
    });
    return body;
  },

  approveDevice: (context, call) =>
    change(context, call, 'device.approve', {}, async (trx, device) => {
      const key = device.waiting_key;
      if (key === null)
        throw new ApiError('conflict', `device ${device.id} is not waiting for approval`);
      if (call.body.key !== undefined && call.body.key !== key)
        throw new ApiError(
          'conflict',
          `device ${device.id} has since requested enrollment with another key`,
        );
      await updateEnrollmentState(trx, call.caller.tenantId, device.id, {
        ...noPendingEnrollment,
        status: 'active',
        identity_key: key,
      });
      return 'active';
    }),

  revokeDevice: (context, call) =>
    change(context, call, 'device.revoke', { reason: call.body.reason }, async (trx, device) => {
      const { tenantId } = call.caller;
      if (device.status === 'revoked')
        throw new ApiError('conflict', `device ${device.id} is already revoked`);
      const state = { ...noPendingEnrollment, status: 'revoked', identity_key: null } as const;
      await updateEnrollmentState(trx, tenantId, device.id, state);
      await revokeCertificates(trx, tenantId, device.id, context.now());
      return 'revoked';
    }),

  restoreDevice: (context, call) =>
    change(context, call, 'device.restore', {}, async (trx, device) => {
      if (device.status !== 'revoked')
        throw new ApiError('conflict', `device ${device.id} is not revoked`);
      await updateEnrollmentState(trx, call.caller.tenantId, device.id, { status: 'pending' });
      return 'pending';
    }),
};

interface DeviceCall {
  caller: AdminCaller;
  address: string;
  params: { id: string };
}

/** Applies one decision about a device, including to its open connections. */
async function change(
  context: Context,
  call: DeviceCall,
  action: string,
  metadata: Record<string, unknown>,
  work: (trx: Trx, device: EnrollmentState) => Promise<AuditedDevice['status']>,
): Promise<AuditedDevice> {
  const { tenantId } = call.caller;
  const answer = await withAudit(context, call, async (trx, audit) => {
    const { hardware_id } = await existing(trx, tenantId, call.params.id);
    await lockDevice(context, trx, tenantId, hardware_id);
    const device = await existing(trx, tenantId, call.params.id);
    const after = { ...auditedDevice(device), status: await work(trx, device) };
    const entry = { ...metadata, ...pendingRequestOf(device) };
    const of = { resource_type: 'device', resource_id: device.id, metadata: entry };
    await audit({ action, ...of, before: auditedDevice(device), after });
    return after;
  });
  const of = { tenant_id: tenantId, device_id: answer.id };
  for (const topic of ['devices', 'identities'] as const)
    context.storage.signals.publish({ ...of, topic });
  return answer;
}

/** Metadata for the audit log: the request that was pending when the decision was made. */
const pendingRequestOf = ({
  waiting_key: key,
  waiting_as: as,
}: EnrollmentState): Record<string, unknown> =>
  key === null || as === null ? {} : { key, asked_as: JSON.parse(as) as PendingEnrollment };

async function existing(trx: Trx, tenantId: string, id: string): Promise<EnrollmentState> {
  const device = await findEnrollmentState(trx, tenantId, id);
  if (!device) throw new ApiError('not_found', `there is no device ${id}`);
  return device;
}
