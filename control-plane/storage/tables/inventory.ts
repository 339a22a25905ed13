import type { AppKind } from '#contract/inventory.ts';
import type { OfTenant } from './of-tenant.ts';

export interface InventoryTables {
  app_groups: AppGroupTable;
  app_changes: AppChangeTable;
  inventory_rules: InventoryRuleTable;
  inventory_blocks: InventoryBlockTable;
}

/** One app across the fleet, as lists show it, aggregated from the apps of all devices. */
export interface AppGroupTable extends OfTenant {
  id: string;
  kind: AppKind;
  name: string;
  catalog_id: string | null;
  first_seen: number;
  last_seen: number;
  device_count: number;
  /** The number of devices that had the app and no longer do. */
  gone_count: number;
  user_count: number;
  version_count: number;
  /** JSON: `{version, device_count}`, newest first. */
  versions: string;
  oldest_version: string | null;
  newest_version: string | null;
  /** Sort key of the oldest version, by which lists are filtered. */
  oldest_key: string | null;
  /** JSON: `{flag, device_count}`, most devices first. */
  risk_flags: string;
  /** Incremented with every aggregation, so that an older result never replaces a newer one. */
  revision: number;
}

/** A change to an app of a device, after which its group must be aggregated and rules evaluated. */
interface AppChangeTable extends OfTenant {
  group_id: string;
  device_id: string;
  /** Replaced with every change, so that concurrent changes are processed again. */
  token: string;
}

export interface InventoryRuleTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  enabled: number;
  /** JSON. */
  condition: string;
  /** JSON: `user_groups`, `devices`. */
  scope: string;
  action: 'incident' | 'block';
  /**
   * The group and device up to which the rule was evaluated since its last change; null if it was
   * evaluated for all.
   */
  evaluated_to: string | null;
  /** Deleted rules are kept until their incidents are resolved. */
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

/** Processes that a rule blocks on a device because of an app. */
interface InventoryBlockTable extends OfTenant {
  device_id: string;
  rule_id: string;
  app_group_id: string;
  app_name: string;
  /** JSON array of the process names. */
  processes: string;
}
