import type { OfTenant } from './of-tenant.ts';

/** Saved views of the console's lists. */
export interface ListViewTables {
  list_views: ListViewTable;
  list_view_defaults: ListViewDefaultTable;
}

interface ListViewTable extends OfTenant {
  id: string;
  /** The list that the view belongs to, such as `runs`. */
  list: string;
  name: string;
  /** The user who saved it. */
  owner_id: string;
  /** 1 if every user of the tenant can see it. */
  is_shared: 0 | 1;
  /** The filters and the sort order, as in the URL of the list. */
  query: string;
  /** JSON array of the columns shown. If null, each user's own columns are shown. */
  columns: string | null;
  created_at: number;
  updated_at: number;
}

/** The view that a list opens with. */
interface ListViewDefaultTable extends OfTenant {
  user_id: string;
  list: string;
  view_id: string;
}
