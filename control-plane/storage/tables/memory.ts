import type { OfTenant } from './of-tenant.ts';

/** Memory of agents. */
export interface MemoryTables {
  memory_slots: MemorySlotTable;
  memory_items: MemoryItemTable;
}

interface MemorySlotTable extends OfTenant {
  id: string;
  /** Identifies the slot that a write replaces. For a fact without a key, this is its id. */
  identity: string;
  type: 'episodic' | 'semantic';
  memory_type: 'dict' | 'list' | 'value' | null;
  scope_key: string;
  slot_name: string;
  /** The run that wrote it last. */
  run_id: number;
  item_count: number | null;
  /** The number of items ever appended to a list, which is also the position of its newest. */
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
  /** Float32, little-endian, normalized to length 1. */
  embedding: Uint8Array | null;
  content: string | null;
  metadata: string | null;
  /** JSON of a dict or a value. List items have their own table. */
  data: string | null;
}

interface MemoryItemTable extends OfTenant {
  slot_id: string;
  position: number;
  size_bytes: number;
  data: string;
}
