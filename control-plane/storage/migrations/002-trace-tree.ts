import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { tenantIndexes } from './001-schema/table-parts.ts';

/**
 * The positions of spans, steps, LLM calls and child runs in their trace. Each new column is null
 * in existing rows, so that none of them is rewritten.
 */
export const traceTree: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    for (const table of ['spans', 'steps', 'llm_calls']) await addPlace(schema, table);
    await schema.alterTable('llm_calls').addColumn('reasoning_tokens', 'bigint').execute();
    await schema.alterTable('llm_calls').addColumn('time_to_first_token_ms', 'bigint').execute();
    await schema.alterTable('llm_calls').addColumn('finish_reason', 'text').execute();
    await schema.alterTable('llm_calls').addColumn('tool_calls', 'text').execute();
    await schema.alterTable('runs').addColumn('parent_span_id', 'text').execute();
    await indexPlaces(schema);
    // The index is partial: a run without a parent costs no entry.
    await tenantIndexes(schema, 'runs')('runs_by_parent', 'parent_run_id', 'id')
      .where(sql.ref('parent_run_id'), 'is not', null)
      .execute();
  },
};

async function addPlace(schema: SchemaModule, table: string): Promise<void> {
  await schema.alterTable(table).addColumn('span_id', 'text').execute();
  await schema.alterTable(table).addColumn('parent_span_id', 'text').execute();
  await schema.alterTable(table).addColumn('started_at', 'bigint').execute();
}

/**
 * The index by run also contains the position. In the row it is stored after the texts, and SQLite
 * reaches a column behind a text only by reading the text.
 */
async function indexPlaces(schema: SchemaModule): Promise<void> {
  for (const [table, ...columns] of [
    ['spans', 'run_id', 'position', 'id'],
    ['steps', 'run_id', 'id'],
    ['llm_calls', 'run_id', 'created_at', 'id', 'duration_ms'],
  ] as const) {
    const name = `${table}_by_run`;
    await schema.dropIndex(name).execute();
    const place = ['span_id', 'parent_span_id', 'started_at'];
    await tenantIndexes(schema, table)(name, ...columns, ...place).execute();
  }
}
