import { writeAudit } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import type { KeyCaller } from '../http/caller.ts';
import type { Trx } from '../storage/open.ts';
import type { EnrollmentState } from './queries.ts';

export interface EnrollingCall {
  caller: KeyCaller;
  address: string;
}

/** In the audit log are computers that are new, and keys that take the place of others. */
export function auditEnrollment(
  context: Context,
  trx: Trx,
  { caller, address }: EnrollingCall,
  key: string,
  after: AuditedDevice,
  known: EnrollmentState | undefined,
): Promise<void> {
  const actor = { actor_type: 'agent', actor_id: caller.keyId, ip: address } as const;
  return writeAudit(context, trx, caller.tenantId, actor, {
    action: 'device.enroll',
    resource_type: 'device',
    resource_id: after.id,
    metadata: { key, ...(known && { key_before: known.identity_key }) },
    ...(known && { before: auditedDevice(known) }),
    after: auditedDevice(after),
  });
}

/** Those who decide about a device see so much of it. */
export type AuditedDevice = Pick<EnrollmentState, 'id' | 'hostname' | 'user' | 'status'>;

export const auditedDevice = ({ id, hostname, user, status }: AuditedDevice): AuditedDevice => ({
  id,
  hostname,
  user,
  status,
});
