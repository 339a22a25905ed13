import type { AppKind } from '#contract/fleet.ts';
import type { OfTenant } from './of-tenant.ts';

export interface InventoryTables {
  app_groups: AppGroupTable;
  app_changes: AppChangeTable;
  inventory_rules: InventoryRuleTable;
  inventory_blocks: InventoryBlockTable;
}

/** One app across the fleet: what lists show, put together from the apps of all devices. */
export interface AppGroupTable extends OfTenant {
  id: string;
  kind: AppKind;
  name: string;
  catalog_id: string | null;
  first_seen: number;
  last_seen: number;
  device_count: number;
  gone_count: number;
  user_count: number;
  version_count: number;
  /** JSON: `{version, device_count}`, newest first. */
  versions: string;
  oldest_version: string | null;
  newest_version: string | null;
  /** Compares as the oldest version does. */
  oldest_key: string | null;
  /** JSON: `{flag, device_count}`. */
  risk_flags: string;
  /** Counts how often it was put together, so that what was read earlier replaces nothing newer. */
  revision: number;
}

/** An app of a device changed: its group has to be put together, and rules have to look at it. */
interface AppChangeTable extends OfTenant {
  group_id: string;
  device_id: string;
  /** Another one with every change: what changes meanwhile is looked at again. */
  token: string;
}

export interface InventoryRuleTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  enabled: number;
  /** JSON */
  condition: string;
  /** JSON: `user_groups`, `devices`. */
  scope: string;
  action: 'incident' | 'block';
  /** Up to which group, and device of it, it was evaluated since its last change; null: all were. */
  evaluated_to: string | null;
  /** It is kept until its incidents are resolved. */
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

/** What a rule blocks on a device because of an app. */
interface InventoryBlockTable extends OfTenant {
  device_id: string;
  rule_id: string;
  app_group_id: string;
  app_name: string;
  /** JSON: their names. */
  processes: string;
}
