import type { OfTenant } from './of-tenant.ts';

export interface GuardTables {
  guard_layers: GuardLayerTable;
  guard_changes: GuardChangeTable;
}

/** One change of a Guard layer, which is kept when the layer is deleted. */
export interface GuardChangeTable extends OfTenant {
  id: string;
  /** The tenant's configuration version after the change; unique per change. */
  version: number;
  change: 'create' | 'update' | 'delete' | 'revert';
  layer: 'global' | 'app_type' | 'user_group' | 'device' | 'agent';
  /** Empty for the global layer. */
  scope: string;
  layer_id: string;
  /** JSON of the layer's configuration; null if it did not exist. */
  before: string | null;
  after: string | null;
  /** The change that this one reverted, or restored. */
  reverts: string | null;
  changed_by: string;
  changed_at: number;
}

interface GuardLayerTable extends OfTenant {
  id: string;
  layer: 'global' | 'app_type' | 'user_group' | 'device' | 'agent';
  /** Empty for the global layer, because a null would not be unique. */
  scope: string;
  config: string;
  version: number;
  updated_at: number;
  updated_by: string;
}
