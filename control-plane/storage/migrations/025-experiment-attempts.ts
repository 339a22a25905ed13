import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { withDefault } from './001-schema/table-parts.ts';

/** Attempts of experiments: the failed items of an experiment are run again in its next attempt. */
export const experimentAttempts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const table of ['experiments', 'experiment_results', 'experiment_scores'])
      await schema.alterTable(table).addColumn('attempt', 'bigint', withDefault(1)).execute();
  },
};
