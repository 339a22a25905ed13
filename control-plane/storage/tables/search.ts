import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** The index itself (`storage/search/`) is read and written in raw SQL. */
export interface SearchTables {
  search_queue: SearchQueueTable;
  search_changes: SearchChangesTable;
}

/** Calls that are not indexed yet. PostgreSQL only. */
interface SearchQueueTable extends OfTenant {
  id: Generated<number>;
  /** JSON array of ids. */
  call_ids: string;
  call_count: number;
  queued_at: number;
}

/** Ranges of ids with calls deleted or changed since they were indexed. */
interface SearchChangesTable extends OfTenant {
  id: Generated<number>;
  first_id: number;
  last_id: number;
}
