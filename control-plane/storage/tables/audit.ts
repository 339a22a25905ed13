import type { OfTenant } from './of-tenant.ts';

export interface AuditTables {
  audit_entries: AuditEntryTable;
  audit_heads: AuditHeadTable;
  audit_totals: AuditTotalTable;
  audit_exports: AuditExportTable;
  audit_export_chunks: AuditExportChunkTable;
}

/**
 * An entry of the audit log. Entries never change, and each carries the hash of the previous one.
 */
interface AuditEntryTable extends OfTenant {
  /** Numbers the entries from 1 without gaps. */
  sequence: number;
  id: string;
  actor_type: 'user' | 'agent' | 'system';
  actor_id: string;
  action: string;
  resource_type: string;
  resource_id: string;
  /** JSON with `before`, `after` and additional information. */
  metadata: string;
  ip: string | null;
  created_at: number;
  previous_hash: string;
  hash: string;
}

/** The end of each tenant's chain, which reveals truncation. */
interface AuditHeadTable extends OfTenant {
  sequence: number;
  hash: string;
  /** A keyed hash of the other columns. Empty once a mismatch was found. */
  seal: string;
}

/** The number of entries by kind and day, so that lists need not count them. */
interface AuditTotalTable extends OfTenant {
  actor_type: 'user' | 'agent' | 'system';
  action: string;
  /** The day, in UTC days since 1970. */
  day: number;
  count: number;
}

/** A file exported from the log in the background. */
interface AuditExportTable extends OfTenant {
  id: string;
  format: 'json' | 'csv' | 'ndjson';
  start_date: number | null;
  end_date: number | null;
  /** The last entry at the time of the request. */
  last_sequence: number;
  status: 'processing' | 'completed' | 'failed';
  error: string | null;
  /** The process that works on it, and when its lease expires. */
  lease_owner: string;
  lease_until: number;
  /** The last entry that was processed. */
  position: number;
  chunk_count: number;
  entry_count: number;
  byte_count: number;
  created_at: number;
  completed_at: number | null;
}

/** A chunk of the file, compressed with gzip. Any process can serve it. */
interface AuditExportChunkTable extends OfTenant {
  export_id: string;
  number: number;
  content: Uint8Array;
}
