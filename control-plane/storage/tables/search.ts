import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** Full text of LLM calls on PostgreSQL; SQLite keeps it in a file of its own. */
export interface SearchTables {
  search_queue: SearchQueueTable;
  call_words: CallWordsTable;
}

/** Calls that are not indexed yet. */
interface SearchQueueTable extends OfTenant {
  id: Generated<number>;
  /** JSON array of ids. */
  call_ids: string;
}

interface CallWordsTable extends OfTenant {
  llm_call_id: number;
  words: string;
}
