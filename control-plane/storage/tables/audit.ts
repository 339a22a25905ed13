import type { OfTenant } from './of-tenant.ts';

export interface AuditTables {
  audit_entries: AuditEntryTable;
  audit_heads: AuditHeadTable;
  audit_totals: AuditTotalTable;
  audit_exports: AuditExportTable;
  audit_export_chunks: AuditExportChunkTable;
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

/** Where the chain of a tenant ends, so that it is noticed when its end is cut off. */
interface AuditHeadTable extends OfTenant {
  sequence: number;
  hash: string;
  /** A keyed hash of the others; empty once it was found not to be theirs. */
  seal: string;
}

/** How many entries there are, by kind and day: lists need not count them. */
interface AuditTotalTable extends OfTenant {
  actor_type: 'user' | 'agent' | 'system';
  action: string;
  /** UTC days since 1970. */
  day: number;
  count: number;
}

/** A file made of the log, in the background. */
interface AuditExportTable extends OfTenant {
  id: string;
  format: 'json' | 'csv' | 'ndjson';
  start_date: number | null;
  end_date: number | null;
  /** The last entry there was when it was asked for. */
  last_sequence: number;
  status: 'processing' | 'completed' | 'failed';
  error: string | null;
  /** The process that works on it, and until when it may be silent. */
  lease_owner: string;
  lease_until: number;
  /** The last entry that was looked at. */
  position: number;
  chunk_count: number;
  entry_count: number;
  byte_count: number;
  created_at: number;
  completed_at: number | null;
}

/** A piece of the file, compressed with gzip. Any process can answer it. */
interface AuditExportChunkTable extends OfTenant {
  export_id: string;
  number: number;
  content: Uint8Array;
}
