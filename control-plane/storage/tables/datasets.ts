import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** Datasets, and experiments over their items. All are kept until a user deletes them. */
export interface DatasetTables {
  datasets: DatasetTable;
  dataset_items: DatasetItemTable;
  experiments: ExperimentTable;
  experiment_results: ExperimentResultTable;
  experiment_scores: ExperimentScoreTable;
}

interface DatasetTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  /** The position of the next item. Items are never removed from a dataset, only archived. */
  next_position: number;
  /** Email of the user, or the id of the key. */
  created_by: string;
  created_at: number;
  updated_at: number;
}

interface DatasetItemTable extends OfTenant {
  id: string;
  dataset_id: string;
  position: number;
  /** The call may have been deleted since. */
  llm_call_id: number | null;
  created_at: number;
  updated_at: number;
  /** Null unless archived: then no experiment runs it. */
  archived_at: number | null;
  input_preview: string;
  expected_preview: string | null;
  /** JSON object. */
  metadata: string;
  /** JSON: an object with variables, or an array of messages. */
  input: string;
  /** JSON; null: none is expected. */
  expected_output: string | null;
}

interface ExperimentTable extends OfTenant {
  id: string;
  dataset_id: string;
  name: string;
  status: 'running' | 'completed' | 'cancelled';
  /** Identifies the claim of the process that runs the experiment. */
  lease_id: string;
  /** Another process may take over after this time. */
  lease_until: number;
  /** Null if the prompt was given in place. The prompt may have been deleted since. */
  prompt_id: string | null;
  prompt_name: string | null;
  prompt_version: number | null;
  model: string;
  concurrency: number;
  created_by: string;
  created_at: number;
  completed_at: number | null;
  /** JSON: the config of the playground. */
  config: string;
  /** JSON array. */
  evaluators: string;
  /** JSON: a text or messages; null: the messages of each item are sent as they are. */
  content: string | null;
  /** 1, and one more for each time that it was retried. */
  attempt: Generated<number>;
}

/** One item of an experiment, as it was when the experiment was started. */
interface ExperimentResultTable extends OfTenant {
  experiment_id: string;
  item_id: string;
  position: number;
  status: 'pending' | 'completed' | 'failed';
  latency_ms: number | null;
  tokens_in: number;
  tokens_out: number;
  cost: number;
  /** The cost of the models that judged the output. */
  evaluation_cost: number;
  completed_at: number | null;
  /** Why there is no output. */
  error: string | null;
  input_preview: string;
  expected_preview: string | null;
  output_preview: string;
  /** JSON arrays. */
  missing_variables: string;
  ignored_settings: string;
  tool_calls: string;
  input: string;
  expected_output: string | null;
  output: string;
  /** The attempt of the experiment in which the result was stored. */
  attempt: Generated<number>;
}

/** What one evaluator says about one output: a value between 0 and 1, or an error. */
interface ExperimentScoreTable extends OfTenant {
  experiment_id: string;
  item_id: string;
  /** The name of the evaluator. */
  name: string;
  value: number | null;
  /** 1 or 0; null if the evaluator gives a number. */
  passed: number | null;
  reason: string | null;
  error: string | null;
  /** The attempt of the experiment in which the score was stored. */
  attempt: Generated<number>;
}
