import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A call tells whether the usage of its prompt counts it: only what was added is ever taken away.
 * Usage is added up once more, for calls were taken away that had never been added.
 */
export const promptCounted: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('llm_calls')
      .addColumn('prompt_counted', 'bigint', (to) => to.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('prompt_usage')
      .addColumn('uncounted_below', 'bigint', (to) => to.notNull().defaultTo(0))
      .execute();
    await sql`update llm_calls set prompt_counted = 1 where exists (
      select 1 from prompt_usage u
      where u.tenant_id = llm_calls.tenant_id and u.content_hash = llm_calls.prompt_hash)`.execute(
      db,
    );
    await sql`update prompt_usage set call_count = 0, total_tokens = 0, total_cost = 0`.execute(db);
    await sql`
      insert into prompt_usage (tenant_id, content_hash, call_count, total_tokens, total_cost)
      select tenant_id, prompt_hash, count(*), sum(total_tokens), sum(cost)
      from llm_calls where prompt_counted = 1 group by tenant_id, prompt_hash
      on conflict (tenant_id, content_hash) do update set call_count = excluded.call_count,
        total_tokens = excluded.total_tokens, total_cost = excluded.total_cost`.execute(db);
  },
};
