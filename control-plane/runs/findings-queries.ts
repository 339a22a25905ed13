import { sql } from 'kysely';
import { type Action, actions } from '#contract/policy-actions.ts';
import { MAX_SCORE_NAMES } from '#contract/run-list.ts';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';

interface ScoreSummary {
  name: string;
  count: number;
  average: number | null;
  value: string | null;
}

export interface RunFindings {
  verdict: Action | null;
  score_summaries: ScoreSummary[];
}

/** Finds the findings of many runs with two queries, whatever their number. */
export async function findRunFindings(
  db: Db,
  tenantId: string,
  runIds: readonly number[],
): Promise<(runId: number) => RunFindings> {
  const [verdicts, scores] = await Promise.all([
    strictestVerdicts(db, tenantId, runIds),
    scoreSummaries(db, tenantId, runIds),
  ]);
  return (runId) => ({
    verdict: verdicts.get(runId) ?? null,
    score_summaries: scores.get(runId) ?? [],
  });
}

/** The rank of an action, the strictest first. */
const rank = sql<number>`case action ${sql.join(
  actions.map((action, at) => sql`when ${sql.lit(action)} then ${sql.lit(at)}`),
  sql` `,
)} end`;

async function strictestVerdicts(db: Db, tenantId: string, runIds: readonly number[]) {
  const rows = await db
    .selectFrom('evaluations')
    .select(['run_id', sql<number>`min(${rank})`.as('rank')])
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', valueList(runIds))
    .groupBy('run_id')
    .execute();
  return new Map(rows.map((row) => [row.run_id, actions[row.rank]]));
}

async function scoreSummaries(db: Db, tenantId: string, runIds: readonly number[]) {
  const ofName = sql`(partition by run_id, name)`;
  const rows = await db
    .selectFrom((of) =>
      of
        .selectFrom('scores')
        .select(['run_id', 'name', 'string_value as value'])
        .select([
          sql<number>`count(*) over ${ofName}`.as('count'),
          sql<number | null>`avg(numeric_value) over ${ofName}`.as('average'),
          sql<number>`row_number() over (partition by run_id, name
            order by string_value is null, created_at desc, id desc)`.as('place'),
        ])
        .where('tenant_id', '=', tenantId)
        .where('run_id', 'in', valueList(runIds))
        .as('latest'),
    )
    .select(['run_id', 'name', 'count', 'average', 'value'])
    .where('place', '=', 1)
    .orderBy('run_id')
    .orderBy('name')
    .execute();
  const summaries = new Map<number, ScoreSummary[]>();
  for (const { run_id, ...summary } of rows) {
    const known = summaries.get(run_id);
    if (!known) summaries.set(run_id, [summary]);
    else if (known.length < MAX_SCORE_NAMES) known.push(summary);
  }
  return summaries;
}
