import type { OfTenant } from './of-tenant.ts';

export interface AuditTables {
  audit_entries: AuditEntryTable;
}

/** Who did what. Entries are never changed; each carries the hash of the one before it. */
interface AuditEntryTable extends OfTenant {
  /** 1, 2, 3 … without a gap. */
  sequence: number;
  id: string;
  actor_type: 'user' | 'agent' | 'system';
  actor_id: string;
  action: string;
  resource_type: string;
  resource_id: string;
  /** JSON: `before` and `after`, and whatever else is to be known. */
  metadata: string;
  ip: string | null;
  created_at: number;
  previous_hash: string;
  hash: string;
}
