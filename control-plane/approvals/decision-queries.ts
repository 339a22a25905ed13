import { MINUTE_MS } from '#lib/time-units.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { type Approval, statusAt } from './queries.ts';

export interface ApprovalFilter {
  status?: Approval['status'] | undefined;
  pending?: 'true' | 'false' | undefined;
  agent?: string | undefined;
  policy_id?: string | undefined;
  limit: number;
  offset: number;
}

/** Returns one page of approvals, newest first, each with its status at `now`. */
export async function listApprovals(db: Db, tenantId: string, now: number, filter: ApprovalFilter) {
  let approvals = db.selectFrom('approvals').where('tenant_id', '=', tenantId);
  if (filter.status)
    approvals = approvals.where((eb) => eb(statusAt(eb, now), '=', filter.status as never));
  if (filter.pending)
    approvals = approvals.where((eb) =>
      eb(statusAt(eb, now), filter.pending === 'true' ? '=' : '<>', 'pending' as never),
    );
  if (filter.agent) approvals = approvals.where('agent_name', '=', filter.agent);
  if (filter.policy_id) approvals = approvals.where('policy_id', '=', filter.policy_id);
  const rows = await approvals
    .selectAll()
    .select((eb) => statusAt(eb, now).as('status_now'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows: rows.map(withCurrentStatus), count: await countOf(approvals) };
}

export async function getApproval(
  db: Db,
  tenantId: string,
  id: string,
  now: number,
): Promise<Approval | undefined> {
  const row = await db
    .selectFrom('approvals')
    .selectAll()
    .select((eb) => statusAt(eb, now).as('status_now'))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && withCurrentStatus(row);
}

const withCurrentStatus = ({
  status_now,
  ...row
}: Approval & { status_now: Approval['status'] }): Approval => ({ ...row, status: status_now });

export interface Decision {
  status: 'approved' | 'denied';
  decided_at: number;
  decided_by: string;
  note: string;
}

/**
 * Stores a decision on a pending request; returns undefined if the request was already decided or
 * has expired.
 */
export async function storeDecision(
  tx: Tx,
  { tenant_id, id, timeout_minutes }: Approval,
  decision: Decision,
): Promise<Approval | undefined> {
  return tx.db
    .updateTable('approvals')
    .set({ ...decision, holds_until: decision.decided_at + timeout_minutes * MINUTE_MS })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', decision.decided_at)
    .returningAll()
    .executeTakeFirst();
}
