import type { OfTenant } from './of-tenant.ts';

export interface PendingDeletionTables {
  pending_deletions: PendingDeletionTable;
}

/**
 * A dataset, an experiment or an annotation queue that does not exist, while rows of it do: it was
 * deleted, or is an experiment that is not complete yet.
 */
interface PendingDeletionTable extends OfTenant {
  id: string;
  kind: 'dataset' | 'experiment' | 'annotation_queue';
  /**
   * When its rows may be deleted: 0 from the beginning if it was deleted. Of an experiment that is
   * being started, the process that copies its items moves it on.
   */
  due_at: number;
  /** For an experiment that is being started, the dataset whose items are copied. */
  dataset_id: string | null;
}
