import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** Managed prompts, the history of their labels, and usage of each content. */
export interface PromptTables {
  prompts: PromptTable;
  prompt_versions: PromptVersionTable;
  prompt_labels: PromptLabelTable;
  prompt_label_moves: PromptLabelMoveTable;
  prompt_usage: PromptUsageTable;
}

interface PromptTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  prompt_type: 'text' | 'chat';
  tags: string;
  metadata: string;
  /** Equal to the number of versions, since versions are never deleted individually. */
  latest_version: number;
  created_at: number;
  updated_at: number;
  /**
   * Null unless archived. Agents can still fetch an archived prompt, but its versions and labels
   * cannot change.
   */
  archived_at: number | null;
}

interface PromptVersionTable extends OfTenant {
  prompt_id: string;
  version: number;
  config: string;
  content_hash: string;
  content_preview: string;
  commit_message: string;
  created_by: string;
  created_at: number;
  /** JSON: a text or an array of messages. */
  content: string;
}

interface PromptLabelTable extends OfTenant {
  prompt_id: string;
  label: string;
  version: number;
}

/** A change of a label, which is kept until the prompt is deleted. */
interface PromptLabelMoveTable extends OfTenant {
  id: string;
  prompt_id: string;
  label: string;
  /** Null if the label was created. */
  from_version: number | null;
  /** Null if the label was removed. */
  to_version: number | null;
  /** The e-mail address of the user, or the name of the API key. */
  moved_by: string;
  moved_at: number;
}

/**
 * One row per content that a prompt version has or had. Recording adds to it, so that metrics need
 * not read calls.
 */
interface PromptUsageTable extends OfTenant {
  content_hash: string;
  call_count: number;
  total_tokens: number;
  total_cost: number;
  /**
   * Calls with smaller ids may be older than the row and have yet to be counted; 0 if there are
   * none.
   */
  uncounted_below: Generated<number>;
}
