import { sql, type RawBuilder } from 'kysely';
import { HOUR_MS } from '#lib/time-units.ts';
import { callHoursLock } from '../../storage/locks.ts';
import type { Db } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';
import { type HourCalls, hourGroupings, type rowsOfHour } from './count-rules.ts';

/** An hour in `model_hours`, whose revision differs after every change. */
export interface HourRevision {
  hour: number;
  revision: string;
  call_count: number;
}

/**
 * Lists the hours with calls, from `from` until before `to`, and whether `counted_hours` has their
 * current revision.
 */
export async function listHours(
  db: Db,
  tenantId: string,
  { from, to }: { from: number; to: number },
): Promise<(HourRevision & { is_counted: boolean })[]> {
  const { rows } = await sql<HourRevision & { counted: string | null }>`
    select present.hour, present.revision, present.call_count, counted_hours.revision as counted
    from (
      select hour, cast(sum(revision) as text) as revision, sum(call_count) as call_count
      from model_hours
      where tenant_id = ${tenantId} and agent_name = '' and hour >= ${from} and hour < ${to}
      group by hour
    ) as present
    left join counted_hours
      on counted_hours.tenant_id = ${tenantId} and counted_hours.hour = present.hour
    order by present.hour`.execute(db);
  return rows.map(({ counted, ...hour }) => ({ ...hour, is_counted: counted === hour.revision }));
}

/** Whether the tenant has hours with calls, or counted hours. */
export async function hasHours(db: Db, tenantId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from model_hours where tenant_id = ${tenantId})
      or exists (select 1 from counted_hours where tenant_id = ${tenantId})`.execute(db);
  return rows.length > 0;
}

/** Lists the counted hours that no longer have calls. */
export async function listEmptiedHours(db: Db, tenantId: string): Promise<number[]> {
  const { rows } = await sql<{ hour: number }>`
    select hour from counted_hours where tenant_id = ${tenantId} and not exists (
      select 1 from model_hours where model_hours.tenant_id = ${tenantId}
        and model_hours.agent_name = '' and model_hours.hour = counted_hours.hour
    )`.execute(db);
  return rows.map(({ hour }) => hour);
}

/** Returns all calls of an hour, summed by the values they are grouped by, and their revision. */
export async function readHour(db: Db, tenantId: string, hour: number) {
  const [present] = await listHours(db, tenantId, { from: hour, to: hour + 1 });
  const { rows } = await sql<HourCalls>`
    select c.agent_name as agent, c.model, c.provider, c.duration, c.call_count, c.total_tokens,
      c.tokens_in, c.tokens_out, c.cache_read_tokens, c.total_cost,
      runs.workflow_name as workflow, runs.user_id as "user", runs.user_group as team,
      runs.api_key_id as api_key, runs.tags as tag
    from (
      select run_id, agent_name, model, provider, ${roundedDuration(sql`duration_ms`)} as duration,
        count(*) as call_count, sum(total_tokens) as total_tokens, sum(tokens_in) as tokens_in,
        sum(tokens_out) as tokens_out, sum(cache_read_tokens) as cache_read_tokens,
        sum(cost) as total_cost
      from llm_calls
      where tenant_id = ${tenantId}
        and created_at >= ${hour * HOUR_MS} and created_at < ${(hour + 1) * HOUR_MS}
      group by 1, 2, 3, 4, 5
    ) as c
    left join runs on runs.tenant_id = ${tenantId} and runs.id = c.run_id`.execute(db);
  return { revision: present?.revision, calls: rows };
}

/** Replaces the stored counts of an hour. Without a revision, the hour has no calls. */
export async function storeHour(
  tx: Tx,
  tenantId: string,
  hour: number,
  revision: string | undefined,
  rows: ReturnType<typeof rowsOfHour>,
): Promise<void> {
  await tx.lock(callHoursLock(tenantId));
  await tx.db
    .deleteFrom('counted_hours')
    .where('tenant_id', '=', tenantId)
    .where('hour', '=', hour)
    .execute();
  await tx.db
    .deleteFrom('call_hours')
    .where('tenant_id', '=', tenantId)
    // This is the beginning of the key, without which all rows of the tenant would be read.
    .where('grouped_by', 'in', hourGroupings)
    .where('hour', '=', hour)
    .execute();
  if (revision === undefined) return;
  await tx.bulk.insert('call_hours', rows);
  await tx.bulk.insert('counted_hours', [{ tenant_id: tenantId, hour, revision }]);
}

/**
 * Rounds durations to two digits, which is precise to a twentieth and results in few distinct
 * values.
 */
export function roundedDuration(duration: RawBuilder<number>): RawBuilder<number | null> {
  const widths = [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
  const whens = widths.map((below) => {
    const width = sql.lit(below / 100);
    const half = sql.lit(below / 200);
    return sql`when ${duration} < ${sql.lit(below)} then ${duration} - ${duration} % ${width} + ${half}`;
  });
  return sql`case when ${duration} < 100 then ${duration} ${sql.join(whens, sql` `)}
    else ${duration} - ${duration} % 10000000 + 5000000 end`;
}
