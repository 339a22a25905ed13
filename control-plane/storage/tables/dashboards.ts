import type { OfTenant } from './of-tenant.ts';

export interface DashboardTables {
  dashboards: DashboardTable;
}

interface DashboardTable extends OfTenant {
  id: string;
  name: string;
  /** The user who created it. */
  owner_id: string;
  /** 1 if every user of the tenant can see it. */
  is_shared: 0 | 1;
  /** JSON array, in the order shown. */
  widgets: string;
  created_at: number;
  updated_at: number;
}
