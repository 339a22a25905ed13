import type { Db } from '../../storage/open.ts';
import { valueList } from '../../storage/value-list.ts';
import type { Turn } from './turns.ts';

/**
 * The most turns that are read. The latest are enough, because records arrive soon after they were
 * written.
 */
const MAX_TURNS = 1000;

/** Finds the runs of these sessions that were recorded with OpenTelemetry, latest first. */
export async function findTurns(
  db: Db,
  tenantId: string,
  sessions: readonly string[],
): Promise<Turn[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['session_id', 'trace_id', 'started_at'])
    .where('tenant_id', '=', tenantId)
    .where('session_id', 'in', valueList(sessions))
    .where('trace_id', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(MAX_TURNS)
    .execute();
  return rows.map(({ session_id, trace_id, started_at }) => ({
    session: session_id as string,
    trace_id: trace_id as string,
    started_at,
  }));
}
