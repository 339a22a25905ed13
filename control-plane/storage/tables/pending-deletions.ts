import type { OfTenant } from './of-tenant.ts';

export interface PendingDeletionTables {
  pending_deletions: PendingDeletionTable;
}

/**
 * A dataset, an experiment or an annotation queue that does not exist although it has rows: it was
 * deleted, or it is an experiment that is still being created.
 */
interface PendingDeletionTable extends OfTenant {
  id: string;
  kind: 'dataset' | 'experiment' | 'annotation_queue';
  /**
   * When its rows may be deleted; 0 if it was deleted. For an experiment that is being started, the
   * process that copies its items keeps postponing this time.
   */
  due_at: number;
  /** The dataset whose items are copied, for an experiment that is being started. */
  dataset_id: string | null;
}
