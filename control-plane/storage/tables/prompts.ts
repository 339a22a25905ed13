import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** Managed prompts, and usage of each content. */
export interface PromptTables {
  prompts: PromptTable;
  prompt_versions: PromptVersionTable;
  prompt_labels: PromptLabelTable;
  prompt_usage: PromptUsageTable;
}

interface PromptTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  prompt_type: 'text' | 'chat';
  tags: string;
  metadata: string;
  /** Equals the number of versions: none is ever deleted individually. */
  latest_version: number;
  created_at: number;
  updated_at: number;
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

/**
 * One row per content that is or was that of a prompt version. Recording adds to it, so that
 * metrics do not read calls.
 */
interface PromptUsageTable extends OfTenant {
  content_hash: string;
  call_count: number;
  total_tokens: number;
  total_cost: number;
  /** Calls with smaller ids may be older than the row and are still to be counted; 0: none. */
  uncounted_below: Generated<number>;
}
