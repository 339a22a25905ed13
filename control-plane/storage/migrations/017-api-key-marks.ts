import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The prefix and last characters by which a person identifies an API key, and who created it. Null
 * for existing keys, of which only the hash is stored.
 */
export const apiKeyMarks: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const column of ['prefix', 'last_four', 'created_by'])
      await schema.alterTable('api_keys').addColumn(column, 'text').execute();
  },
};
