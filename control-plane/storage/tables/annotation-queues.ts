import type { OfTenant } from './of-tenant.ts';

export interface AnnotationTables {
  annotation_queues: AnnotationQueueTable;
  annotation_items: AnnotationItemTable;
}

interface AnnotationQueueTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  instructions: string;
  /** JSON array of the scores that reviewers give, in the order shown. */
  scores: string;
  created_at: number;
  updated_at: number;
}

interface AnnotationItemTable extends OfTenant {
  queue_id: string;
  run_id: number;
  status: 'pending' | 'completed' | 'skipped';
  /** The user who completed or skipped it. For a pending item, the user who last claimed it. */
  reviewer_id: string | null;
  /** Null unless a reviewer has claimed it. */
  claim_expires_at: number | null;
  added_at: number;
  /** When it was completed or skipped. */
  done_at: number | null;
  comment: string | null;
  /**
   * JSON array of the ids of the scores that its reviewer gave. Completing the item again replaces
   * them.
   */
  score_ids: string;
}
