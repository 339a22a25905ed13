import type { Migration } from 'kysely/migration';

/** The full-text index of that time. `031-search-segments` puts another in its place. */
export const search: Migration = {
  up: () => Promise.resolve(),
};
