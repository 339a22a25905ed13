import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/**
 * Queues of the search index. The index itself (`storage/search/`) is read and written in raw SQL.
 */
export interface SearchTables {
  search_queue: SearchQueueTable;
  search_changes: SearchChangesTable;
}

/** Calls that are not indexed yet; on PostgreSQL only. */
interface SearchQueueTable extends OfTenant {
  id: Generated<number>;
  /** JSON array of ids. */
  call_ids: string;
  call_count: number;
  queued_at: number;
}

/** A range of ids of calls that were deleted or changed since they were indexed. */
interface SearchChangesTable extends OfTenant {
  id: Generated<number>;
  first_id: number;
  last_id: number;
}
