import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/** Archived prompts, the history of labels, and the calls of a prompt version by time. */
export const promptHistory: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('prompts').addColumn('archived_at', 'bigint').execute();
    await tenantTable(schema, 'prompt_label_moves')
      .addColumn('id', 'text', notNull)
      .addColumn('prompt_id', 'text', notNull)
      .addColumn('label', 'text', notNull)
      .addColumn('from_version', 'bigint')
      .addColumn('to_version', 'bigint')
      .addColumn('moved_by', 'text', notNull)
      .addColumn('moved_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('prompt_label_moves_pk', ['tenant_id', 'id'])
      .execute();
    const moves = tenantIndexes(schema, 'prompt_label_moves');
    await moves('prompt_label_moves_by_prompt', 'prompt_id', 'moved_at', 'id').execute();
    // The index is partial: only calls of managed prompts have an entry. Lists and metrics of a
    // version read only this index of the calls.
    await tenantIndexes(schema, 'llm_calls')(
      'llm_calls_by_prompt',
      'prompt_hash',
      'created_at',
      'id',
      'agent_name',
      'model',
      'total_tokens',
      'cost',
      'run_id',
      'duration_ms',
      'finish_reason',
    )
      .where(sql.ref('prompt_counted'), '=', sql.lit(1))
      .execute();
  },
};
