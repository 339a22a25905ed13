import { ApiError } from '#contract/errors.ts';
import { type Change, withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import {
  changeIncidents,
  type IncidentChanges,
  type IncidentFilter,
  isAssignable,
  listBatch,
} from './queries.ts';

const INCIDENTS_PER_BATCH = 500;

interface AdminRequest {
  caller: KeyCaller | SessionCaller;
  address: string;
}

/**
 * Changes every incident that the filter matches, in one transaction. Each batch has one entry in
 * the audit log, with the ids and the previous values.
 */
export const updateIncidents = (
  context: Context,
  request: AdminRequest,
  filter: IncidentFilter,
  changes: IncidentChanges,
): Promise<{ changed: number }> =>
  withAudit(context, request, async (tx, audit) => {
    const { tenantId } = request.caller;
    await refuseUnknownAssignee(tx.db, tenantId, changes);
    const updated_at = context.now();
    let [changed, after] = [0, ''];
    for (;;) {
      const rows = await listBatch(tx, tenantId, filter, { after, size: INCIDENTS_PER_BATCH });
      const last = rows.at(-1);
      if (!last) return { changed };
      const ids = rows.map(({ id }) => id);
      await changeIncidents(tx, tenantId, ids, { ...changes, updated_at });
      audit(changeOf(rows, filter, changes));
      changed += rows.length;
      after = last.id;
    }
  });

/** @throws ApiError `validation_error` */
export async function refuseUnknownAssignee(
  db: Db,
  tenantId: string,
  { assignee_id }: IncidentChanges,
): Promise<void> {
  if (typeof assignee_id !== 'string' || (await isAssignable(db, tenantId, assignee_id))) return;
  throw new ApiError('validation_error', `assignee_id: there is no active user ${assignee_id}`);
}

type Batch = Awaited<ReturnType<typeof listBatch>>;

function changeOf(rows: Batch, filter: IncidentFilter, changes: IncidentChanges): Change {
  const fields = ['status', 'severity', 'assignee_id'] as const;
  const changed = fields.filter((field) => changes[field] !== undefined);
  return {
    action: 'incident.update_many',
    resource_type: 'incident',
    resource_id: rows[0]?.id ?? '',
    before: rows.map((row) => ({
      id: row.id,
      ...Object.fromEntries(changed.map((field) => [field, row[field]])),
    })),
    after: changes,
    metadata: { filter, count: rows.length },
  };
}
