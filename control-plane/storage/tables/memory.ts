import type { OfTenant } from './of-tenant.ts';

/** What agents remember. */
export interface MemoryTables {
  memory_slots: MemorySlotTable;
  memory_items: MemoryItemTable;
}

interface MemorySlotTable extends OfTenant {
  id: string;
  /** What two writes must share to be writes of the same slot; a fact without key has its id. */
  identity: string;
  type: 'episodic' | 'semantic';
  memory_type: 'dict' | 'list' | 'value' | null;
  scope_key: string;
  slot_name: string;
  /** The run that wrote it last. */
  run_id: number;
  item_count: number | null;
  /** How many items a list was ever given: the position of its newest. */
  appended: number | null;
  max_items: number | null;
  importance: number | null;
  tags: string;
  fact_key: string | null;
  source_tool: string | null;
  preview: string;
  size_bytes: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** Float32, little-endian, of length 1. */
  embedding: Uint8Array | null;
  content: string | null;
  metadata: string | null;
  /** JSON of a dict or a value. A list's items have a table of their own. */
  data: string | null;
}

interface MemoryItemTable extends OfTenant {
  slot_id: string;
  position: number;
  size_bytes: number;
  data: string;
}
