import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What identifies an API key to a person who has found one, and who created it. Null for keys from
 * before: only their hash is stored.
 */
export const apiKeyMarks: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const column of ['prefix', 'last_four', 'created_by'])
      await schema.alterTable('api_keys').addColumn(column, 'text').execute();
  },
};
