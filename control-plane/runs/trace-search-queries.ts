import { MAX_FOUND_RECORDS } from '#contract/run-trace.ts';
import { type RawBuilder, sql } from 'kysely';
import { contains } from '../storage/contains.ts';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import type { TraceItem } from './trace-rules.ts';

type Found = Pick<TraceItem, 'kind' | 'id'>;

interface Searched {
  table: 'runs' | 'llm_calls' | 'spans' | 'steps' | 'evaluations' | 'incidents';
  /** The kind of the record, as SQL. */
  kind: RawBuilder<TraceItem['kind']>;
  texts: readonly string[];
  /** Columns with JSON, in which texts are escaped. */
  json: readonly string[];
}

const kindOf = (kind: TraceItem['kind']) => sql<TraceItem['kind']>`${sql.lit(kind)}`;

const searched: readonly Searched[] = [
  { table: 'runs', kind: kindOf('run'), texts: ['error'], json: ['inputs', 'result', 'metadata'] },
  {
    table: 'llm_calls',
    kind: kindOf('llm_call'),
    texts: ['prompt_preview', 'response_preview', 'task'],
    json: ['tool_calls'],
  },
  {
    table: 'spans',
    kind: sql`case when kind = 'tool' then 'tool' else 'span' end`,
    texts: [],
    json: ['attributes', 'input_data', 'output_data'],
  },
  { table: 'steps', kind: kindOf('step'), texts: [], json: ['output'] },
  { table: 'evaluations', kind: kindOf('verdict'), texts: ['reason'], json: ['metadata'] },
  { table: 'incidents', kind: kindOf('incident'), texts: ['reason'], json: [] },
];

/**
 * Finds the records of these runs whose texts contain a text, ignoring case. It reads every text of
 * the runs, because no index holds all of them.
 */
export async function searchTrace(
  db: Db,
  tenantId: string,
  runIds: readonly number[],
  text: string,
): Promise<{ found: Found[]; complete: boolean }> {
  const found: Found[] = [];
  const escaped = JSON.stringify(text).slice(1, -1);
  for (const { table, kind, texts, json } of searched) {
    const places = [
      ...texts.map((column) => contains(column, text)),
      ...json.map((column) => contains(column, escaped)),
    ];
    const runColumn = table === 'runs' ? 'id' : 'run_id';
    const { rows } = await sql<Found>`select ${kind} as kind, cast(id as text) as id
      from ${sql.table(table)}
      where tenant_id = ${tenantId} and ${sql.ref(runColumn)} in ${valueList(runIds)}
        and (${sql.join(places, sql` or `)})
      order by ${sql.ref(runColumn)}, id
      limit ${sql.lit(MAX_FOUND_RECORDS + 1 - found.length)}`.execute(db);
    found.push(...rows);
    if (found.length > MAX_FOUND_RECORDS)
      return { found: found.slice(0, MAX_FOUND_RECORDS), complete: false };
  }
  return { found, complete: true };
}
