import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '#lib/time-units.ts';
import type { Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Key, Part } from './work-rules.ts';

/** Tools of coding agents that change files, by their names in telemetry. */
const editTools: readonly string[] = [
  // Claude Code.
  'Edit',
  'MultiEdit',
  'Write',
  'NotebookEdit',
  // Codex.
  'apply_patch',
  // Gemini CLI and Qwen Code.
  'replace',
  'write_file',
  // Qwen Code, opencode and GitHub Copilot.
  'edit',
  'write',
  'create',
  'patch',
  // Cline.
  'write_to_file',
  'replace_in_file',
];

export type WorkStorage = Pick<Storage, 'reader' | 'memberOf'>;

export interface WorkFilter {
  tenantId: string;
  agents: readonly string[];
  start: number;
  end: number;
}

/** The grouping of the totals; null for one total of all work. */
export type Grouping = 'agent_name' | 'user_id' | 'user_group' | 'day' | null;

/** Returns the parts of each group: from its runs, from their spans and from counters. */
export async function readWork(
  reading: WorkStorage,
  selected: WorkFilter,
  by: Grouping,
): Promise<Part[]> {
  const parts = await Promise.all([
    partsOfRuns(reading, selected, by),
    partsOfSpans(reading, selected, by),
    partsOfCounters(reading, selected, by),
  ]);
  return parts.flat();
}

/**
 * Returns the key of a group. Its constants are inlined, so that `select` and `group by` have the
 * same text.
 */
const keyOf = (by: Grouping, table: 'runs' | 'coding_counters'): RawBuilder<Key> => {
  if (by === null) return sql`null`;
  if (by === 'day') return sql`${sql.ref(`${table}.started_at`)} / ${sql.lit(DAY_MS)}`;
  return sql`${sql.ref(`${table}.${by}`)}`;
};

const inPeriod =
  (table: 'runs' | 'coding_counters', { tenantId, agents, start, end }: WorkFilter) =>
  (eb: ExpressionBuilder<Tables, 'runs' | 'coding_counters'>) =>
    eb.and([
      eb(`${table}.tenant_id`, '=', tenantId),
      eb(`${table}.agent_name`, 'in', agents),
      eb(`${table}.started_at`, '>=', start),
      eb(`${table}.started_at`, '<', end),
    ]);

async function partsOfRuns({ reader }: WorkStorage, selected: WorkFilter, by: Grouping) {
  const key = keyOf(by, 'runs');
  const query = reader
    .selectFrom('runs')
    .select(({ fn }) => [
      key.as('key'),
      fn.countAll<number>().as('prompts'),
      fn.count<number>('session_id').distinct().as('sessions'),
      fn.count<number>('user_id').distinct().as('developers'),
      fn.sum<number>('tokens').as('tokens'),
      fn.sum<number>('cost').as('cost'),
    ])
    .where(inPeriod('runs', selected) as never);
  return (by === null ? query : query.groupBy(key)).execute();
}

const ACCEPTED = ['accept', 'auto_accept', 'modify', 'approved', 'approved_for_session'];
const REJECTED = ['reject', 'denied', 'abort', 'cancel'];

/** Sums spans. Decisions are spans themselves, or members of the tool's span. */
async function partsOfSpans({ reader, memberOf }: WorkStorage, selected: WorkFilter, by: Grouping) {
  const key = keyOf(by, 'runs');
  const decision = memberOf('spans.attributes', 'decision');
  const lines = (name: string) => sumOf(memberOf('spans.attributes', name));
  const decided = (values: readonly string[]) =>
    sql<number>`sum(case when ${decision} in (${sql.join(values)}) then 1 else 0 end)`;
  const query = reader
    .selectFrom('runs')
    .innerJoin('spans', (join) =>
      join.onRef('spans.tenant_id', '=', 'runs.tenant_id').onRef('spans.run_id', '=', 'runs.id'),
    )
    .select([
      key.as('key'),
      decided(ACCEPTED).as('edits_accepted'),
      decided(REJECTED).as('edits_rejected'),
      lines('lines_added').as('lines_added'),
      lines('lines_removed').as('lines_removed'),
    ])
    .where(inPeriod('runs', selected) as never)
    .where('spans.name', 'in', namesOfEdits);
  return (by === null ? query : query.groupBy(key)).execute();
}

/**
 * Sums the members that are whole numbers, as a number or as text. Attributes come from outside, so
 * others are ignored: a cast of such a text fails in PostgreSQL, and guesses a number in SQLite. Of
 * nine digits, every database has an integer.
 */
const sumOf = (member: RawBuilder<string | null>) =>
  sql<number>`sum(case when length(${member}) between 1 and 9 and ltrim(${member}, '0123456789') = ''
    then cast(${member} as integer) else 0 end)`;

/** The names of spans of the tools, and of decisions about them. */
const namesOfEdits = editTools.flatMap((tool) => [tool, `decision ${tool}`]);

async function partsOfCounters({ reader }: WorkStorage, selected: WorkFilter, by: Grouping) {
  const key = keyOf(by, 'coding_counters');
  const of = (measure: string) =>
    sql<number>`sum(case when measure = ${measure} then value else 0 end)`;
  const query = reader
    .selectFrom('coding_counters')
    .select([
      key.as('key'),
      of('lines_added').as('lines_added'),
      of('lines_removed').as('lines_removed'),
    ])
    .where(inPeriod('coding_counters', selected) as never);
  return (by === null ? query : query.groupBy(key)).execute();
}
