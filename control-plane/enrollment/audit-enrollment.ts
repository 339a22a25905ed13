import { writeAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { KeyCaller } from '../http/caller.ts';
import type { Tx } from '../storage/transaction.ts';
import type { EnrollmentState } from './queries.ts';

export interface EnrollmentRequest {
  caller: KeyCaller;
  address: string;
}

/** Audits new computers, and keys that replace others. */
export function auditEnrollment(
  tx: Tx,
  context: Context,
  { caller, address }: EnrollmentRequest,
  key: string,
  after: AuditedDevice,
  existing: EnrollmentState | undefined,
): Promise<void> {
  const actor = { actor_type: 'agent', actor_id: caller.keyId, ip: address } as const;
  return writeAudit(tx, context, caller.tenantId, actor, {
    action: 'device.enroll',
    resource_type: 'device',
    resource_id: after.id,
    metadata: { key, ...(existing && { key_before: existing.identity_key }) },
    ...(existing && { before: auditedDevice(existing) }),
    after: auditedDevice(after),
  });
}

/** The part of a device that approvers see. */
export type AuditedDevice = Pick<EnrollmentState, 'id' | 'hostname' | 'user' | 'status'>;

export const auditedDevice = ({ id, hostname, user, status }: AuditedDevice): AuditedDevice => ({
  id,
  hostname,
  user,
  status,
});
